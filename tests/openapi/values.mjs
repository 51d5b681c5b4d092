// Reads [{schema, value}] from standard input; prints whether each value fits its schema (JSON Schema 2020-12).
import Ajv from "ajv/dist/2020.js";
import fs from "node:fs";

const cases = JSON.parse(fs.readFileSync(0, "utf8"));
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
console.log(JSON.stringify(cases.map(({ schema, value }) => ajv.compile(schema)(value))));
