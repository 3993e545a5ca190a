import { AppError, invariant } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import * as contract from '@shop/shared/upload/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { isOwner, ownerKey } from '../http/caller.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, callerKey, mustBeOnce, type Route, route } from '../http/route.ts'
import { readSlipImage } from './slip-image.ts'
import { findSlip, insertSlip, isReferenceUsed, isSubjectOf, type Slip } from './store.ts'

async function uploadSlip(context: Context) {
  const { shop, now, file } = context
  invariant(file, 'the endpoint takes a file')
  const uploaderKey = ownerKey(context)
  if (!uploaderKey) throw new AppError('UNAUTHENTICATED')
  await shop.limits.take('uploadsPerCaller', callerKey(context))
  const { body, width, height, qr } = await readSlipImage(file.bytes)
  if (qr?.kind === 'payment') throw new AppError('SLIP_IS_PAYMENT_QR')
  if (qr && (await isReferenceUsed(shop.db, qr.sendingBank, qr.reference))) throw new AppError('SLIP_REUSED')
  return runOnce(shop.db, mustBeOnce(context), now, async tx => {
    const id = uuidv7()
    const fileKey = `slips/${id}.jpg`
    await shop.files.write(fileKey, body, 'image/jpeg')
    await insertSlip(tx, {
      id,
      uploaderKey,
      fileKey,
      width,
      height,
      byteSize: body.byteLength,
      sendingBank: qr?.sendingBank ?? null,
      bankReference: qr?.reference ?? null,
      usedFor: null,
      createdAt: now,
    })
    return { id, url: contract.getSlip.path.replace(':id', id), hasBankReference: qr !== null }
  })
}

/** Slips are private: the uploader, staff, and whoever's order or top-up it is for may look. */
async function mayLook(context: Context, slip: Slip): Promise<boolean> {
  if (isOwner(context, slip.uploaderKey) || can(context.caller, 'order.work')) return true
  const keys = [context.uid && `u:${context.uid}`, context.guestHash && `g:${context.guestHash}`].filter(
    key => key !== null,
  )
  return slip.usedFor !== null && isSubjectOf(context.shop.db, slip.usedFor, keys)
}

async function readSlip(context: Context, id: string) {
  const slip = await findSlip(context.shop.db, id)
  if (!slip || !(await mayLook(context, slip))) throw new AppError('NOT_FOUND')
  const body = await context.shop.files.read(slip.fileKey)
  if (!body) throw new AppError('NOT_FOUND')
  return { body, contentType: 'image/jpeg' }
}

export const uploadRoutes: Route[] = [
  route(contract.uploadSlip, (_, context) => uploadSlip(context)),
  route(contract.getSlip, ({ params }, context) => readSlip(context, params.id)),
]
