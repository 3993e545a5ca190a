import type { ErrorCode } from '@shop/shared/errors.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { tellOwner } from '../access/news.ts'
import type { MachineKey } from '../account/key-ring.ts'
import type { Shop } from '../shop/shop.ts'

/** Refusals that may mean that somebody else has the key, or that its owner's machine stands still. */
const TOLD: Partial<Record<ErrorCode, string>> = {
  KEY_ADDRESS_REFUSED: 'ใช้จากที่อยู่ IP ที่ไม่อยู่ในรายการ',
  KEY_ENDED: 'คีย์นี้ถูกยกเลิกไปแล้ว แต่ยังมีเครื่องใช้อยู่',
  KEY_LIMIT_REACHED: 'เกินวงเงินต่อวันของคีย์',
  KEY_SCOPE_MISSING: 'ทำรายการที่คีย์ไม่มีสิทธิ์',
}

/** What this process has told, so that a machine that keeps trying costs no statements. */
const told = new WeakMap<Shop, Set<string>>()
const MOST_REMEMBERED = 10_000

/** Tells the owner of a key once a day that it was refused. */
export async function tellRefusal(shop: Shop, key: MachineKey, code: ErrorCode, address: string): Promise<void> {
  const why = TOLD[code]
  if (!why) return
  const now = shop.now()
  const about = `${key.id} ${code} ${bangkokDay(now)}`
  const known = told.get(shop) ?? new Set()
  told.set(shop, known)
  if (known.has(about)) return
  if (known.size >= MOST_REMEMBERED) known.clear()
  await shop.db.transaction(tx =>
    tellOwner(tx, {
      uid: key.uid,
      kind: 'apiKeyRefused',
      byShop: false,
      at: now,
      facts: { keyName: key.name, why, address },
      about,
    }),
  )
  known.add(about)
}
