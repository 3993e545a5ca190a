import { expect, test } from 'vitest'
import { mustBeTermsInForce } from './terms.ts'

const published = [
  { version: '1', publishedAt: new Date('2026-01-01T00:00:00Z') },
  { version: '3', publishedAt: new Date('2026-11-20T05:00:00Z') },
  { version: '2', publishedAt: new Date('2026-11-20T04:30:00Z') },
]
const codeOf = (version: string, at: string) => {
  try {
    mustBeTermsInForce(version, published, new Date(at))
    return 'OK'
  } catch (error) {
    return (error as { code: string; details: object }).code
  }
}

test('the terms on the screen hold for an hour after others came, those in force without end', () => {
  expect(codeOf('3', '2030-01-01T00:00:00Z')).toBe('OK')
  expect(codeOf('1', '2026-11-20T05:30:00.000Z')).toBe('OK')
  expect(codeOf('1', '2026-11-20T05:30:00.001Z')).toBe('TERMS_CHANGED')
  expect(codeOf('2', '2026-11-20T06:00:00Z')).toBe('OK')
  expect(codeOf('2', '2026-11-20T06:00:01Z')).toBe('TERMS_CHANGED')
})

test('terms that were never published bind nobody; the refusal names those in force', () => {
  expect(codeOf('4', '2026-11-20T05:00:00Z')).toBe('TERMS_CHANGED')
  expect(() => mustBeTermsInForce('x', published, new Date())).toThrow(
    expect.objectContaining({ details: { version: '3' } }),
  )
})
