import { expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { type CodeCount, type CodeRecords, decideCode, NO_CODE_TRIES } from './totp.ts'

const now = new Date('2026-11-20T07:00:30Z')

/** What a row of wrong codes is told. */
function typeWrong(start: CodeRecords, times: number) {
  let records = start
  const told: string[] = []
  const locks: CodeCount[] = []
  for (let tries = 0; tries < times; tries++) {
    const decision = decideCode(records, false, now)
    records = decision.records
    locks.push(...decision.locks)
    told.push(`${decision.error?.code} ${decision.error?.message}`)
  }
  return { records, told, locks }
}

test.each(['browser', 'signIn'] as const)(
  'each wrong try of a %s says how many are left, the fifth locks for 15 minutes and says until when',
  count => {
    const { records, told, locks } = typeWrong({ [count]: NO_CODE_TRIES }, 5)
    expect(told.slice(0, 4)).toEqual([4, 3, 2, 1].map(n => `TOTP_WRONG รหัสยืนยันไม่ถูกต้อง เหลืออีก ${n} ครั้ง`))
    expect(told[4]).toBe('TOTP_LOCKED กรอกรหัสยืนยันผิดครบ 5 ครั้ง ลองใหม่ได้เวลา 14:16 น.')
    expect(records).toEqual({ [count]: { wrongTries: 5, lockedUntil: addSeconds(now, 900) } })
    expect(locks).toEqual([count])
  },
)

test('the tenth of all strange sign-ins locks those for an hour, however many there were', () => {
  const fresh = { signIn: NO_CODE_TRIES }
  const first = typeWrong({ ...fresh, strangers: NO_CODE_TRIES }, 4).records
  const second = typeWrong({ ...fresh, strangers: first.strangers! }, 4).records
  const third = typeWrong({ ...fresh, strangers: second.strangers! }, 2)
  expect(third.told).toEqual([
    'TOTP_WRONG รหัสยืนยันไม่ถูกต้อง เหลืออีก 1 ครั้ง',
    expect.stringMatching(/^TOTP_STRANGERS_LOCKED .* ลองใหม่ได้เวลา 15:01 น\. /),
  ])
  expect(third.locks).toEqual(['strangers'])
  const next = decideCode({ ...fresh, strangers: third.records.strangers! }, true, addSeconds(now, 3599))
  expect(next.error?.code).toBe('TOTP_STRANGERS_LOCKED')
})

test('of two locks the one that ends last is told', () => {
  const records = {
    signIn: { wrongTries: 5, lockedUntil: addSeconds(now, 900) },
    strangers: { wrongTries: 10, lockedUntil: addSeconds(now, 60) },
  }
  expect(decideCode(records, true, now).error?.code).toBe('TOTP_LOCKED')
})

test('while locked the right code is refused and the lock does not grow', () => {
  const locked = { signIn: { wrongTries: 5, lockedUntil: addSeconds(now, 1) }, strangers: NO_CODE_TRIES }
  for (const isRight of [true, false]) {
    const decision = decideCode(locked, isRight, now)
    expect(decision.error?.code).toBe('TOTP_LOCKED')
    expect(decision.records).toEqual(locked)
    expect(decision.locks).toEqual([])
  }
})

test('after the lock there are five tries again', () => {
  const over = { signIn: { wrongTries: 5, lockedUntil: now } }
  expect(decideCode(over, true, now)).toEqual({ records: { signIn: NO_CODE_TRIES }, error: null, locks: [] })
  expect(decideCode(over, false, now).records).toEqual({ signIn: { wrongTries: 1, lockedUntil: null } })
})

test('a right code resets the counts that it falls under', () => {
  const records = { signIn: { wrongTries: 4, lockedUntil: null }, strangers: { wrongTries: 9, lockedUntil: null } }
  const none = { signIn: NO_CODE_TRIES, strangers: NO_CODE_TRIES }
  expect(decideCode(records, true, now)).toEqual({ records: none, error: null, locks: [] })
})
