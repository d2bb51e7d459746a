/**
 * Risk: the interface drifts away from the contract that clients were written for, in a name, a type or what is required.
 */
import { describe, expect, it, test } from "vitest";
import { ERROR_FIELDS, INBOX_ENTRY, ROUTE_FACTS, SCHEMA_FACTS, STATUSES } from "./facts.contract.ts";
import { openApi } from "./openapi.ts";
import { ROUTES } from "./routes.ts";

const document = JSON.parse(openApi("1.2.3"));
const { schemas } = document.components;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** The contract's schema first, then what is beyond it. */
  readonly allOf?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The schema in the words of the facts: `integer?null`, `enum a b`, `WorkflowTurn`, `any`. */
function wordsOf(schema: Schema | undefined): string {
  if (schema === undefined) return "missing";
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.anyOf !== undefined) {
    const words = schema.anyOf.map(wordsOf);
    return `${words.filter((one) => one !== "null").join(" or ")}${words.includes("null") ? "?null" : ""}`;
  }
  if (schema.allOf !== undefined) return wordsOf(schema.allOf[0]);
  if (schema.enum !== undefined) return `enum ${schema.enum.join(" ")}`;
  if (Array.isArray(schema.type)) return `${schema.type.filter((one) => one !== "null").join(" or ")}?null`;
  return typeof schema.type === "string" ? schema.type : "any";
}

/** What of the facts the schema does not keep. */
function broken(schema: Schema, facts: readonly string[], mayAsk = false): readonly string[] {
  return facts.flatMap((fact) => {
    const [, name = "", needed, type] = /^([a-z_]+)(!?)(?::(.*))?$/.exec(fact) ?? [];
    const words = wordsOf(schema.properties?.[name]);
    const isRequired = schema.required?.includes(name) === true;
    const found = [];
    if (type !== undefined && words !== type && words !== type.replace("?null", ""))
      found.push(`${fact}: ${words}`);
    if (needed === "!" && !isRequired) found.push(`${fact}: not required`);
    if (mayAsk && needed !== "!" && isRequired) found.push(`${fact}: required`);
    if (mayAsk && type?.includes("?null") === true && !words.includes("?null"))
      found.push(`${fact}: not nullable`);
    return found;
  });
}

describe.each(ROUTE_FACTS)("$method $path", ({ method, path, fields, answer }) => {
  const operation = document.paths[path]?.[method];

  it("takes what the contract says", () => {
    if (method === "get") {
      const parameters = new Map(operation.parameters.map((one: { name: string }) => [one.name, one]));
      expect([...parameters.keys()].sort()).toEqual(["branch", "graph", "stack", ...fields].sort());
      for (const one of parameters.values())
        expect(one).toMatchObject({ in: "query", schema: { type: "string" } });
      return;
    }
    const schema = operation.requestBody.content["application/json"].schema;
    expect(broken(schema, fields, true)).toEqual([]);
    expect(schema.additionalProperties).toBe(false);
    expect(operation.parameters.map((one: { name: string }) => one.name)).toEqual([
      "graph",
      "stack",
      "branch",
    ]);
  });

  it("answers what the contract says, with every declared status", () => {
    for (const status of STATUSES) expect(Object.keys(operation.responses)).toContain(status);
    const { schema } = operation.responses["200"].content["application/json"];
    if (typeof answer === "string") expect(wordsOf(schema)).toBe(answer);
    else expect(broken(schema, answer)).toEqual([]);
    expect(wordsOf(operation.responses["409"].content["application/json"].schema)).toBe("LbbErrorEnvelope");
  });
});

it.each(Object.entries(SCHEMA_FACTS))("%s has the contract's fields and is open", (name, facts) => {
  expect(broken(schemas[name], facts)).toEqual([]);
  expect(schemas[name].additionalProperties).not.toBe(false);
});

test("an inbox entry and the error envelope have the contract's fields", () => {
  expect(broken(schemas.InboxEntry, INBOX_ENTRY)).toEqual([]);
  expect(broken(schemas.LbbErrorEnvelope.properties.error, ERROR_FIELDS)).toEqual([]);
});

test("a completion may be answered with the next turn, besides the contract's turn", () => {
  const { responses } = document.paths["/v1/workflows/turns/complete"].post;
  const [turn, beyond] = responses["200"].content["application/json"].schema.allOf;
  expect(wordsOf(turn)).toBe("WorkflowTurn");
  expect(wordsOf(beyond.properties.next)).toBe("TurnTask?null");
  expect(beyond.required ?? []).toEqual([]);
  expect(beyond.additionalProperties).not.toBe(false);
});

test("every object of a request is closed, nested ones too", () => {
  const open: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if (
      "type" in schema &&
      schema.type === "object" &&
      !("additionalProperties" in schema && !schema.additionalProperties)
    )
      open.push(path);
    for (const [key, inner] of Object.entries(schema)) walk(inner, `${path}.${key}`);
  };
  for (const [path, operations] of Object.entries<{ post?: { requestBody: unknown } }>(document.paths))
    walk(operations.post?.requestBody, path);
  expect(open).toEqual([]);
});

test("the document shows every route and only references that lead somewhere", () => {
  const shown = Object.entries<object>(document.paths).flatMap(([path, by]) =>
    Object.keys(by).map((method) => `${method} ${path}`),
  );
  expect(shown.sort()).toEqual(ROUTES.map(({ method, path }) => `${method.toLowerCase()} ${path}`).sort());
  for (const [, name = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    expect(Object.keys(schemas)).toContain(name);
  const ids = JSON.stringify(document).match(/"operationId":"[^"]+"/g) ?? [];
  expect(new Set(ids).size).toBe(ROUTES.length);
});
