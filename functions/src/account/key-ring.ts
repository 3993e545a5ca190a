import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { ACCOUNT, ACCOUNT_TABLES, type Account } from './store.ts'
import { account, resellerKey } from './tables.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** The keys of agents' machines. */
    machineKeys: KeyRing
  }
}

/** What a key is from its making to its end. */
export type MachineKey = Pick<
  typeof resellerKey.$inferSelect,
  'id' | 'uid' | 'name' | 'mode' | 'scopes' | 'addresses' | 'dailyLimitSatang' | 'secretHash'
>

const [k, a] = [under(resellerKey, 'k'), under(account, 'a')]
const MACHINE_KEY = row<MachineKey>(
  pick(k, 'id', 'uid', 'name', 'mode', 'scopes', 'addresses', 'dailyLimitSatang', 'secretHash'),
)

/** Remembers keys, because nothing of one changes but that it ends, which each call asks the database for. */
export interface KeyRing {
  /** Returns a key by its public part, even one that has ended; null for an unknown one. */
  find(id: string): Promise<MachineKey | null>
}

/** When a process remembers more keys than this, it forgets the one that it has known longest. */
const MOST_REMEMBERED = 10_000

export function openKeyRing(db: Sql): KeyRing {
  const known = new Map<string, MachineKey>()
  return {
    async find(id) {
      const before = known.get(id)
      if (before) return before
      const text = sql`SELECT ${MACHINE_KEY} FROM ${k} WHERE ${k.id} = $1`
      const [key] = await db.query({ name: 'machine_key', text, values: [id] })
      if (!key) return null
      if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!)
      known.set(id, key)
      return key
    },
  }
}

/** Returns the account of a key, with the key's end; null when the account is gone. Runs on every call of a machine. */
export async function findAccountOfKey(db: Sql, id: string): Promise<Account | null> {
  const [found] = await db.query({
    name: 'account_of_key',
    text: sql`SELECT ${row<Required<Account>>({ ...ACCOUNT, keyEndedAt: k.endedAt })}
      FROM ${k} JOIN ${a} ON ${a.uid} = ${k.uid} ${ACCOUNT_TABLES} WHERE ${k.id} = $1`,
    values: [id],
  })
  return found ?? null
}
