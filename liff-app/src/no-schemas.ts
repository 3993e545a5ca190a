/**
 * Takes zod's place in the storefront's contract (see vite-contract.ts). A call needs its path and types only; the server is
 * the judge of every input, so validation need not be on the phone's first screen: pages with forms fetch zod for theirs. Every
 * call and every property of a schema is the schema again. A zod function used in the contract and missing below fails the build.
 */
const schema: never = new Proxy(() => schema, { get: () => schema, apply: () => schema }) as never

export {
  schema as any,
  schema as array,
  schema as boolean,
  schema as coerce,
  schema as discriminatedUnion,
  schema as email,
  schema as enum,
  schema as int,
  schema as int32,
  schema as iso,
  schema as literal,
  schema as null,
  schema as nullable,
  schema as number,
  schema as object,
  schema as optional,
  schema as preprocess,
  schema as record,
  schema as string,
  schema as tuple,
  schema as union,
  schema as unknown,
  schema as url,
  schema as uuid,
}
