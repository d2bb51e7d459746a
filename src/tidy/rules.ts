/**
 * All house rules that a machine can keep. Each is a pure function of the tree; a new one is added here, and
 * `rules.test.ts` then asks for a sample that breaks it.
 */
import { ambientCalls } from "./ambient.ts";
import { typeEscapes } from "./casts.ts";
import { commentShare, fileHeader } from "./comments.ts";
import { importCycles } from "./import-cycles.ts";
import { importMatrix } from "./import-matrix.ts";
import { packageExports, pinnedVersions } from "./manifest.ts";
import { nothingForLater, testsRun } from "./marks.ts";
import { fileNames, topLevel } from "./names.ts";
import { folderPages, pageLinks } from "./pages.ts";
import { fileLength, functionLength, medianLength } from "./sizes.ts";
import { testSupport } from "./test-support.ts";
import type { Rule } from "./tree.ts";

export const RULES: readonly Rule[] = [
  importMatrix,
  importCycles,
  ambientCalls,
  typeEscapes,
  fileLength,
  medianLength,
  functionLength,
  fileHeader,
  commentShare,
  fileNames,
  topLevel,
  folderPages,
  pageLinks,
  nothingForLater,
  testsRun,
  testSupport,
  pinnedVersions,
  packageExports,
];
