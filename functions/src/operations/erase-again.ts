import { uuidv7 } from 'uuidv7'
import { createFirebaseIdentity } from '../account/identity-provider.ts'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { requireSchema } from '../database/migrations.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { ERASED_FOLDER, ERASING, eraseOutside, eraseRows, hashOfUid } from '../privacy/erase.ts'
import { findOwnUids, keysOf } from '../privacy/store.ts'
import { erasure } from '../privacy/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { openFiles } from '../upload/files.ts'
import { type Command, requireVariable, withDatabase } from './operator.ts'

const [a, e] = [under(account), under(erasure)]

type Parts = Pick<Shop, 'db' | 'files' | 'identityProvider' | 'now'>

interface Erased {
  erasedAt: Date
  /** What was bought as a guest in the browser that asked was erased, too. */
  guestHash: string | null
}

/** Reads who was erased and when, by the hash of their uid, from the files: the database may be older. */
async function readErased({ files }: Pick<Parts, 'files'>): Promise<Map<string, Erased>> {
  const erased = new Map<string, Erased>()
  for (const { key } of await files.list(ERASED_FOLDER)) {
    const body = await files.read(key)
    if (!body) continue
    const { erasedAt, guestHash } = JSON.parse(Buffer.from(body).toString()) as {
      erasedAt: string
      guestHash: string | null
    }
    erased.set(key.slice(`${ERASED_FOLDER}/`.length, -'.json'.length), { erasedAt: new Date(erasedAt), guestHash })
  }
  return erased
}

/** Whoever came back after their erasure has a new account under the same uid, which nobody asked to erase. */
async function findReturned(db: Sql, erased: Map<string, Erased>): Promise<string[]> {
  const accounts = await db.query({ text: sql`SELECT ${row(pick(a, 'uid', 'createdAt'))} FROM ${a}` })
  return accounts.flatMap(({ uid, createdAt }) => {
    const known = erased.get(hashOfUid(uid))
    return known && createdAt < known.erasedAt ? [uid] : []
  })
}

/** Erases whom a restored database has again. Returns how many. @param parts with the database owner's connection */
export async function erasePeopleAgain(parts: Parts): Promise<number> {
  const { db, now } = parts
  const erased = await readErased(parts)
  const uids = await findReturned(db, erased)
  const done = new Set<string>()
  for (const uid of uids) {
    // A LINE identity's own account goes with the one that it signs in to.
    if (done.has(uid)) continue
    const own = await findOwnUids(db, uid)
    for (const each of own) done.add(each)
    const [asked] = await db.query({
      text: sql`SELECT ${row(pick(e, 'id'))} FROM ${e} WHERE ${e.uids}[1] = $1 AND ${e.state} IN ('asked', 'approved')`,
      values: [uid],
    })
    const whose = { uids: own, guestHash: erased.get(hashOfUid(uid))?.guestHash ?? null }
    const id = asked?.id ?? uuidv7()
    if (!asked)
      await db.query({
        text: sql`INSERT INTO ${e} (${e.id}, ${e.uids}, ${e.state}, ${e.askedAt}) VALUES ($1, $2, 'approved', $3)`,
        values: [id, own, now()],
      })
    await eraseOutside(parts, id, whose, now())
    const writtenOnce = (tx: Sql) =>
      tx.query({ text: 'SELECT erase_from_written_once($1, $2, $3)', values: [id, own, keysOf(whose)] })
    await db.transaction(tx => eraseRows(tx, id, whose, { writtenOnce, now: now() }), ERASING)
  }
  return done.size
}

export const eraseAgain: Command = {
  does: 'erases again, after a restore, whom the restored database knows although they were erased; owner only',
  run: operator =>
    withDatabase(operator, async db => {
      const { variables, say } = operator
      await requireSchema(db)
      const identityProvider = createFirebaseIdentity({
        projectId: requireVariable(operator, variables.GCLOUD_PROJECT ? 'GCLOUD_PROJECT' : 'VITE_FIREBASE_PROJECT_ID'),
        emulatorHost: variables.FIREBASE_AUTH_EMULATOR_HOST || undefined,
      })
      const bucket = variables.FILES_BUCKET?.trim() || undefined
      const files = await openFiles({ folder: bucket ? '' : requireVariable(operator, 'FILES_DIR'), bucket })
      const again = await erasePeopleAgain({ db, files, identityProvider, now: () => new Date() })
      say(`${again} ${again === 1 ? 'account was' : 'accounts were'} erased again.`)
      return true
    }),
}
