/**
 * Replaces zod in the storefront's contract (see vite-contract.ts), where a call needs only its path: the server checks
 * every input, and pages with forms load zod for theirs. Each call and each property of `schema` gives `schema` again.
 * A zod function that the contract uses and that is missing below makes the build fail.
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
