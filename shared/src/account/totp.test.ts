import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { type CodeRecord, decideCode } from './totp.ts'

const now = new Date('2026-11-20T07:00:30Z')
const fresh: CodeRecord = { wrongTries: 0, lockedUntil: null }

test('each wrong try says how many are left, the fifth locks for 15 minutes and says until when', () => {
  let record = fresh
  const messages: string[] = []
  for (let tries = 0; tries < 5; tries++) {
    const decision = decideCode(record, false, now)
    record = decision.record
    messages.push(`${decision.error?.code} ${decision.error?.message}`)
  }
  expect(messages.slice(0, 4)).toEqual([4, 3, 2, 1].map(n => `TOTP_WRONG รหัสยืนยันไม่ถูกต้อง เหลืออีก ${n} ครั้ง`))
  expect(messages[4]).toBe('TOTP_LOCKED กรอกรหัสยืนยันผิดครบ 5 ครั้ง ลองใหม่ได้เวลา 14:16 น.')
  expect(record).toEqual({ wrongTries: 5, lockedUntil: addSeconds(now, 900) })
})

test('while locked the right code is refused and the lock does not grow', () => {
  const locked = { wrongTries: 5, lockedUntil: addSeconds(now, 1) }
  for (const isRight of [true, false]) {
    const decision = decideCode(locked, isRight, now)
    expect(decision.error?.code).toBe('TOTP_LOCKED')
    expect(decision.record).toEqual(locked)
  }
})

test('after the lock there are five tries again', () => {
  const over = { wrongTries: 5, lockedUntil: now }
  expect(decideCode(over, true, now)).toEqual({ record: fresh, error: null })
  expect(decideCode(over, false, now).record).toEqual({ wrongTries: 1, lockedUntil: null })
})

test('a right code resets the count', () => {
  expect(decideCode({ wrongTries: 4, lockedUntil: null }, true, now)).toEqual({ record: fresh, error: null })
})
