// What is asked of a table by name. JavaScript tells its keys as texts; these say which texts they are. A build drops a
// list that nobody reads, because of what it is told here.

type KeyOf<Table> = keyof Table & string

/** A table's keys, in its order; there is at least one, as a schema needs. */
/* @__NO_SIDE_EFFECTS__ */
export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as [KeyOf<Table>, ...KeyOf<Table>[]]

/** Tells whether something is one of a table's own keys. */
export const isKeyOf = <Table extends object>(table: Table, key: unknown): key is KeyOf<Table> =>
  typeof key === 'string' && Object.hasOwn(table, key)

/** What a table has under something; undefined when that is none of its own keys. */
export const lookUp = <Table extends object>(table: Table, key: unknown): Table[KeyOf<Table>] | undefined =>
  isKeyOf(table, key) ? table[key] : undefined

/** Returns a table that has these keys. */
/* @__NO_SIDE_EFFECTS__ */
export const tableOf = <Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value) =>
  Object.fromEntries(keys.map(key => [key, make(key)])) as Record<Key, Value>

/** Tells whether a list has a value, which may be anything. */
export const isOneOf = <One>(list: readonly One[], value: unknown): value is One =>
  (list as readonly unknown[]).includes(value)
