import { AppError, invariant } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/upload/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { authoriseForeign, isOwner, may, ownerKey } from '../account/caller.ts'
import { type Context, limitKey, mustBeOnce, type Route, route } from '../call/route.ts'
import { runOnce } from '../http/idempotency.ts'
import type { Shop } from '../shop/shop.ts'
import { isReferenceUsed } from '../transfer/store.ts'
import { readSlipImage } from './slip-image.ts'
import { findSlip, insertSlip, isSubjectOf, type Slip } from './store.ts'
import { dropUnusedOf, UNUSED_SLIPS, UNUSED_SLIPS_OF_STAFF } from './unused.ts'

async function uploadSlip(context: Context) {
  const { shop, now, file } = context
  const uploaderKey = ownerKey(context)
  if (!uploaderKey) throw new AppError('UNAUTHENTICATED')
  invariant(file, 'the endpoint takes a file')
  let written: Slip | null = null
  let storedId: string | null = null
  try {
    const reply = await runOnce(
      shop.db,
      mustBeOnce(context),
      now,
      async (tx, slip) => {
        await insertSlip(tx, slip)
        const url = contract.getSlip.path.replace(':id', slip.id)
        return { id: slip.id, url, hasBankReference: slip.bankReference !== null }
      },
      async () => {
        await takeUploadLimits(context)
        written = await writeSlip(context, uploaderKey, file.bytes)
        return written
      },
    )
    storedId = reply.id
    const kept = may(context, 'order.work') ? UNUSED_SLIPS_OF_STAFF : UNUSED_SLIPS
    await dropUnusedOf(shop.db, shop.files, uploaderKey, kept)
    return reply
  } finally {
    await forget(shop, written, storedId)
  }
}

async function takeUploadLimits(context: Context): Promise<void> {
  const { limits } = context.shop
  await limits.take('uploadsPerCaller', limitKey(context))
  await limits.take('uploadsPerAddress', context.address)
  await limits.take('uploadsPerAddressAndHour', context.address)
}

/**
 * Makes a safe picture of an uploaded file and stores it. @throws SLIP_NOT_IMAGE, SLIP_TOO_LARGE, SLIP_IS_PAYMENT_QR, SLIP_REUSED,
 * UNAVAILABLE, FILES_UNAVAILABLE
 */
async function writeSlip({ shop, now }: Context, uploaderKey: string, file: Buffer): Promise<Slip> {
  const { body, pictureHash, width, height, qr, qrText } = await readSlipImage(file)
  if (qr?.kind === 'payment') throw new AppError('SLIP_IS_PAYMENT_QR')
  if (qr && (await isReferenceUsed(shop.db, qr.sendingBank, qr.reference))) throw new AppError('SLIP_REUSED')
  const id = uuidv7()
  const fileKey = `slips/${id}.jpg`
  await shop.files.write(fileKey, body, 'image/jpeg')
  const bank = { sendingBank: qr?.sendingBank ?? null, bankReference: qr?.reference ?? null, qrText: qr && qrText }
  const picture = { fileKey, pictureHash, width, height, byteSize: body.byteLength }
  return { id, uploaderKey, ...picture, ...bank, usedFor: null, createdAt: now }
}

/** Removes a picture whose slip was not stored, because the same upload was faster or storing it failed. */
async function forget(shop: Shop, written: Slip | null, storedId: string | null): Promise<void> {
  if (written && written.id !== storedId) await shop.files.remove(written.fileKey)
}

/** Slips are private: besides staff, only the uploader and the owner of its order or top-up may see one. */
async function mayLook(context: Context, slip: Slip): Promise<boolean> {
  if (isOwner(context, slip.uploaderKey)) return true
  const keys = [context.uid && `u:${context.uid}`, context.guestHash && `g:${context.guestHash}`].filter(
    key => key !== null,
  )
  return slip.usedFor !== null && isSubjectOf(context.shop.db, slip.usedFor, keys)
}

async function readSlip(context: Context, id: string) {
  const slip = await findSlip(context.shop.db, id)
  if (!slip) throw new AppError('NOT_FOUND')
  if (!(await mayLook(context, slip))) authoriseForeign(context, 'order.look', 'NOT_FOUND')
  const body = await context.shop.files.read(slip.fileKey)
  if (!body) throw new AppError('NOT_FOUND')
  return { body, contentType: 'image/jpeg' }
}

export const uploadRoutes: Route[] = [
  route(contract.uploadSlip, (_, context) => uploadSlip(context)),
  route(contract.getSlip, ({ params }, context) => readSlip(context, params.id)),
]
