// Reads an OpenAPI document from standard input; says what is wrong with it and ends with 1, or its version.
import { Validator } from "@seriousme/openapi-schema-validator";
import fs from "node:fs";

const validator = new Validator();
const result = await validator.validate(JSON.parse(fs.readFileSync(0, "utf8")));
console.log(result.valid ? validator.version : JSON.stringify(result.errors, null, 1));
process.exit(result.valid ? 0 : 1);
