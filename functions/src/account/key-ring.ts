import type { Sql } from '../database/database.ts'
import { columns, sqlOf } from '../database/listing.ts'
import { type Account, accountSql } from './store.ts'
import { resellerKey } from './tables.ts'

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

const MACHINE_KEY = columns<MachineKey>({
  ...sqlOf(resellerKey, 'k', 'id', 'uid', 'name', 'mode', 'scopes', 'addresses', 'dailyLimitSatang', 'secretHash'),
})

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
      const text = `SELECT ${MACHINE_KEY} FROM reseller_key k WHERE k.id = $1`
      const [key] = await db.query<MachineKey>({ name: 'machine_key', text, values: [id] })
      if (!key) return null
      if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!)
      known.set(id, key)
      return key
    },
  }
}

/** Returns the account of a key, with the key's end; null when the account is gone. Runs on every call of a machine. */
export async function findAccountOfKey(db: Sql, id: string): Promise<Account | null> {
  const [row] = await db.query<Account>({
    name: 'account_of_key',
    text: `SELECT account.*, k.ended_at AS "keyEndedAt"
      FROM reseller_key k, LATERAL ${accountSql('k.uid')} AS account WHERE k.id = $1`,
    values: [id],
  })
  return row ?? null
}
