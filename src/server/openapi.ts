/**
 * The OpenAPI document, made from the routes and their schemas: what is served is what is described.
 *
 *   D1  every parameter of a query is a string, as in the contract; what it must say stands in the summary.
 *   D2  every operation declares the same refusals, each with the envelope.
 *   D3  named schemas are written once and referred to, also from within each other.
 *
 * The paths about the server itself are left out: they belong to whoever runs it.
 *
 * Source: contract sections 1 and 1.1 (scope, headers, declared statuses).
 */
import { z } from "zod";
import { LIMITS } from "../vocabulary/limits.ts";
import { API_VERSION } from "./answers.ts";
import type { Route } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { errorEnvelope, NAMED } from "./view-schemas.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

/** Declared of every operation. 405, 408 and 413 may come of any HTTP server. */
const REFUSED = [400, 401, 403, 404, 409, 413, 429, 500, 503];

const SCOPE = [
  { name: "graph", description: "The graph; by default main" },
  { name: "stack", description: "Accepted and not looked at" },
  { name: "branch", description: "Accepted and not looked at" },
].map(({ name, description }) => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { type: "string" },
}));

const HEADERS = {
  "Lbb-Version": { description: "The version of this interface", schema: { type: "string" } },
  "X-Request-Id": { description: "Names this request in the log", schema: { type: "string" } },
};

const SCHEMAS = "#/components/schemas/";

let made: { readonly version: string; readonly text: string } | null = null;

/** The document as JSON text; made once, when somebody first asks. */
export function openApi(version: string): string {
  if (made?.version !== version) made = { version, text: JSON.stringify(documentOf(version)) };
  return made.text;
}

function documentOf(version: string): Schema {
  const paths: { [path: string]: { [method: string]: Schema } } = {};
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Baton", version, description: `Durable message workflows; interface ${API_VERSION}.` },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: namedSchemas(),
    },
  };
}

function operationOf(route: Route): Schema {
  const isPost = route.method === "POST";
  return {
    operationId: route.path.replace(/^\/v1\//, "").replaceAll(/[/-]/g, "_") + (isPost ? "" : "_read"),
    summary: route.summary,
    parameters: [...SCOPE, ...(isPost ? [] : parametersOf(route))],
    ...(isPost ? { requestBody: bodyOf(route) } : {}),
    responses: {
      200: responseOf("The answer", schemaOf(route.answer)),
      ...Object.fromEntries(
        REFUSED.map((status) => [status, responseOf("Refused; see the code", schemaOf(errorEnvelope))]),
      ),
    },
  };
}

function parametersOf(route: Route): readonly Schema[] {
  const { properties, required } = inputSchema(route);
  return Object.keys(properties).map((name) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: { type: "string", maxLength: LIMITS.idChars },
  }));
}

function bodyOf(route: Route): Schema {
  const isNeeded = Object.keys(route.input.shape).length > 0;
  return {
    required: isNeeded,
    content: { "application/json": { schema: inputSchema(route) } },
  };
}

function responseOf(description: string, schema: Schema): Schema {
  return { description, headers: HEADERS, content: { "application/json": { schema } } };
}

function inputSchema(route: Route): { readonly properties: object; readonly required: readonly string[] } {
  const { $schema: _, ...schema } = z.toJSONSchema(route.input, { unrepresentable: "any", io: "input" });
  return { ...schema, properties: schema.properties ?? {}, required: schema.required ?? [] };
}

/** A named schema by its name, another as it is, with the names in it. */
function schemaOf(schema: z.ZodType): Schema {
  for (const [id, one] of NAMED) if (one === schema) return { $ref: `${SCHEMAS}${id}` };
  return namedSchemas({ Answer: schema }).Answer ?? {};
}

/** The named schemas and these, each naming the others. */
function namedSchemas(more: { readonly [id: string]: z.ZodType } = {}): { readonly [id: string]: Schema } {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of [...NAMED, ...Object.entries(more)]) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { unrepresentable: "any", uri: (id) => `${SCHEMAS}${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}
