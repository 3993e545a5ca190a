import type { Database, Sql } from './database.ts'
import { requirePassword } from './migrate.ts'
import { lackingLimits, readRole, requireGoodRole, requireOwner, SERVER_ROLE, SERVER_ROLES } from './owner-checks.ts'
import { Refusal } from './refusal.ts'
import { scramSecret } from './scram.ts'

/**
 * The server's password changes without a moment in which it is not let in: it works as one of two roles with the same
 * rights, the other one gets the new password, and the first is closed once nobody works as it any more.
 */
export type ServerRole = (typeof SERVER_ROLES)[number]

export const isServerRole = (name: string | undefined): name is ServerRole =>
  (SERVER_ROLES as readonly (string | undefined)[]).includes(name)

/** Returns how many connections to any database work as a role. */
async function countUsers(db: Sql, role: ServerRole): Promise<number> {
  const [row] = await db.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = $1',
    values: [role],
  })
  return row!.n
}

const otherOf = (role: ServerRole): ServerRole => SERVER_ROLES.find(name => name !== role)!

/** @throws Refusal unless the connection is the owner's, and the owner may change the role */
async function requireRight(tx: Sql, role: ServerRole): Promise<void> {
  const [me] = await tx.query<{ backend: number }>({ text: 'SELECT pg_backend_pid() AS backend' })
  const owner = await requireOwner(tx, me!.backend)
  requireGoodRole((await readRole(tx, role)) ?? (await readRole(tx, SERVER_ROLE)), owner, true)
}

/** Lets the server in as a role, by a new password. @throws Refusal while somebody works as it by the old one */
export async function openServerRole(db: Database, role: ServerRole, password: string): Promise<void> {
  requirePassword(password)
  await db.transaction(async tx => {
    await requireRight(tx, role)
    const users = await countUsers(tx, role)
    if (users > 0)
      throw new Refusal(
        `${users} connections work as ${role} just now; a new password would lock the server out. Take ${otherOf(role)}.`,
      )
    if (!(await readRole(tx, role))) {
      await tx.query({ text: `CREATE ROLE ${role} LOGIN` })
      await tx.query({ text: `GRANT ${SERVER_ROLE} TO ${role}` })
    }
    // A limit holds for the role it is set on alone, and not for its members.
    const { settings } = (await readRole(tx, role))!
    for (const { setting, standardMs } of lackingLimits(settings))
      await tx.query({ text: `ALTER ROLE ${role} SET ${setting} = '${standardMs}ms'` })
    // Letters, digits and signs of its form need no escaping.
    await tx.query({ text: `ALTER ROLE ${role} LOGIN PASSWORD '${scramSecret(password)}'` })
  })
}

/** Lets nobody in as a role any more. @throws Refusal while somebody works as it, or when nobody works as the other */
export async function closeServerRole(db: Database, role: ServerRole): Promise<void> {
  await db.transaction(async tx => {
    await requireRight(tx, role)
    const users = await countUsers(tx, role)
    if (users > 0)
      throw new Refusal(
        `${users} connections still work as ${role}: deploy the new DATABASE_URL everywhere; a pooler keeps its connections for a while.`,
      )
    if ((await countUsers(tx, otherOf(role))) === 0)
      throw new Refusal(`Nobody works as ${otherOf(role)} either: start the server with the new DATABASE_URL first.`)
    await tx.query({ text: `ALTER ROLE ${role} NOLOGIN PASSWORD NULL` })
  })
}
