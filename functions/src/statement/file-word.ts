import { AppError } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import type { ValueMove } from '@shop/shared/value/value.ts'
import { ownerKeys } from '../account/caller.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { tell } from '../outbox/outbox.ts'
import { deliverProven } from '../supplier/proof-store.ts'
import { hasSuppliers } from '../supplier/provider.ts'
import { findBarrier, moveBehind, moveOrWait } from '../value/moving.ts'
import {
  confirmFile,
  findOrdersOfFile,
  findRole,
  findWaitingFile,
  findWaitingFiles,
  holdFile,
  lockImported,
} from './file-word-store.ts'

interface Weighed {
  id: string
  fileName: string
  /** The incoming money in satang that no earlier source had reported. */
  inSatang: Satang
}

const moveOf = ({ id, fileName, inSatang }: Weighed): ValueMove => ({
  kind: 'fileGiven',
  amountSatang: inSatang,
  subject: `statementFile:${id}`,
  note: fileName,
})

/**
 * Adds a file's new money to its uploader's day. Returns true when that is more than one person may vouch for: then its
 * lines are taken and matched, but no supplier delivers for them until somebody else confirms the file.
 */
export async function weighFile(tx: Sql, context: Context, file: Weighed): Promise<boolean> {
  const { shop, now } = context
  // Without a supplier people look at each order anyway.
  const isWeighed = hasSuppliers(shop) && file.inSatang > 0
  if (isWeighed && !(await moveOrWait(tx, personOf(context), moveOf(file)))) {
    await holdFile(tx, file.id)
    await tell(tx, { event: 'fileWaits', id: file.id, turn: now.toISOString(), now })
  }
  return (await findWaitingFile(tx, file.id)) !== null
}

/** Returns the caller as a second person. */
const secondOf = (context: Context) => {
  const { uid, role } = personOf(context)
  return { uid, role, keys: ownerKeys(context) }
}

async function list(context: Context): Promise<contract.WaitingFile[]> {
  const { shop, now } = context
  const files = await findWaitingFiles(shop.db)
  const barrierOf = (askedBy: string) =>
    findBarrier(shop.db, { kind: 'fileGiven', askedBy, owners: [], action: 'value.second' }, secondOf(context), now)
  return Promise.all(files.map(async file => ({ ...inJson(file), whyNot: await barrierOf(file.givenBy) })))
}

/** @throws NOT_FOUND, CONFLICT, SECOND_WORD_NOT_YOURS, NOBODY_HEARS */
async function confirm(context: Context, fileId: string, seenSatang: Satang) {
  const { shop, now } = context
  const person = personOf(context)
  return shop.db.transaction(async tx => {
    if (!(await lockImported(tx, fileId))) throw new AppError('NOT_FOUND')
    const file = await findWaitingFile(tx, fileId)
    // Somebody else has confirmed it in the meantime.
    if (!file) return { fileId }
    if (file.inSatang !== seenSatang) throw new AppError('CONFLICT')
    const giver = { uid: file.givenBy, role: await findRole(tx, file.givenBy), now, findUnheard: shop.findUnheard }
    await moveBehind(tx, giver, secondOf(context), moveOf(file))
    await confirmFile(tx, { id: fileId, by: person.uid, at: now })
    await audit(tx, person, {
      action: 'statement.confirm',
      subject: `statementFile:${fileId}`,
      before: null,
      after: { fileName: file.fileName, amountSatang: file.inSatang, uid: file.givenBy },
    })
    await deliverProven(tx, await findOrdersOfFile(tx, fileId), now)
    return { fileId }
  })
}

export const fileWordRoutes: Route[] = [
  route(contract.listWaitingFiles, (_, context) => list(context)),
  route(contract.confirmStatementFile, ({ params, body }, context) => confirm(context, params.fileId, body.inSatang)),
]
