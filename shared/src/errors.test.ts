import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError, ERROR_CODES, errorMessage, errorStatus, invariant, messageOf } from './errors.ts'

test('every failure has an HTTP error status and a text', () => {
  for (const code of ERROR_CODES) {
    expect(errorStatus(code)).toBeGreaterThanOrEqual(400)
    expect(errorMessage(code)).not.toBe('')
  }
})

test('every "not now" says when to come back in Retry-After, and to people who can only wait in words', () => {
  const refusals = ERROR_CODES.filter(code => errorStatus(code) === 429)
  expect(refusals).toContain('RATE_LIMITED')
  for (const code of refusals) {
    const { message, retryAfterSeconds } = new AppError(code, { values: { n: 3 } })
    const onlyWaits = code !== 'GUEST_LIMIT_REACHED'
    expect([code, message.includes(' 3 นาที'), retryAfterSeconds]).toEqual([code, onlyWaits, 180])
  }
  expect(new AppError('GUEST_LIMIT_REACHED').message).toContain('เข้าสู่ระบบด้วย LINE')
})

test('a text carries its values, and a value nobody gave leaves no braces', () => {
  expect(errorMessage('PIN_WRONG', { n: 4 })).toBe('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')
  expect(new AppError('PIN_WRONG', { values: { n: 0 } }).message).toBe('PIN ไม่ถูกต้อง เหลืออีก 0 ครั้ง')
  expect(errorMessage('PIN_WRONG')).toBe('PIN ไม่ถูกต้อง เหลืออีก  ครั้ง')
})

test('a failure crosses the wire whole', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ERROR_CODES),
      fc.option(fc.dictionary(fc.string(), fc.string()), { nil: undefined }),
      fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined }),
      fc.nat(),
      (code, fields, details, n) => {
        const sent = new AppError(code, { values: { n, field: n, time: n }, fields, details })
        const received = AppError.fromBody(sent.status, sent.toBody())
        expect(received).toBeInstanceOf(AppError)
        expect(received).toMatchObject({ name: 'AppError', code, status: sent.status, message: sent.message })
        expect([received.fields, received.details]).toEqual([fields, details])
      },
    ),
  )
})

test('a reply says nothing of fields or details that are not there', () => {
  expect(Object.keys(new AppError('NOT_FOUND').toBody())).toEqual(['code', 'message'])
})

test('a reply that is not understood becomes the general failure, never words from outside', () => {
  const foreign = { code: 'SOMETHING_NEW', message: 'from a newer server' }
  expect(AppError.fromBody(409, foreign)).toMatchObject({ code: 'INTERNAL', message: errorMessage('INTERNAL') })
  expect(AppError.fromBody(503, foreign)).toMatchObject({ code: 'UNAVAILABLE', message: errorMessage('UNAVAILABLE') })
  for (const body of [null, undefined, {}, { message: 'Bad gateway' }])
    expect(AppError.fromBody(500, body)).toMatchObject({ code: 'INTERNAL', message: errorMessage('INTERNAL') })
  // A front whose server is away answers by itself, with a page of its own.
  for (const status of [502, 503, 504]) expect(AppError.fromBody(status, null)).toMatchObject({ code: 'UNAVAILABLE' })
  expect(AppError.fromBody(404, { code: 'NOT_FOUND' }).message).toBe(errorMessage('NOT_FOUND'))
})

test('people read the text of an expected failure and the general line for everything else', () => {
  expect(messageOf(new AppError('PIN_SAME'))).toBe(errorMessage('PIN_SAME'))
  for (const thrown of [new Error('connection reset'), 'text', null])
    expect(messageOf(thrown)).toBe(errorMessage('INTERNAL'))
})

test('a broken invariant crashes and says which', () => {
  expect(() => invariant(1 + 1 === 2, 'sums hold')).not.toThrow()
  expect(() => invariant(0, 'sums hold')).toThrow('sums hold')
})
