import { expect, test } from 'vitest'
import { readSendAnswer } from './answer.ts'

const kindOf = (status: number, message = '') => readSendAnswer({ status, requestId: 'r', body: { message } }).kind

test('what was accepted before is accepted', () => {
  expect(readSendAnswer({ status: 409, requestId: 'first', body: {} })).toEqual({
    kind: 'accepted',
    requestId: 'first',
  })
  expect(kindOf(200)).toBe('accepted')
})

test('the two kinds of 429 are told apart', () => {
  expect(kindOf(429, 'You have reached your monthly limit.')).toBe('full')
  expect(kindOf(429, 'The API rate limit has been exceeded. Try again later.')).toBe('tooMany')
  expect(kindOf(429)).toBe('tooMany')
})

test.each([500, 502, 503, 504, 408, 302, 199])('%i says nothing that can be relied on', status => {
  expect(kindOf(status)).toBe('unknown')
})
test('nor does silence, or what is no JSON', () => {
  expect(readSendAnswer(null).kind).toBe('unknown')
  expect(readSendAnswer({ status: 400, requestId: null, body: undefined }).kind).toBe('refused')
})

test('what LINE will never take is told with its words', () => {
  const body = {
    message: 'The request body has 1 error(s)',
    details: [{ message: 'May not be empty', property: 'messages[0].text' }],
  }
  expect(readSendAnswer({ status: 400, requestId: null, body })).toEqual({
    kind: 'refused',
    message: 'The request body has 1 error(s) · messages[0].text · May not be empty',
  })
  expect([kindOf(400, 'Invalid reply token'), kindOf(401), kindOf(403), kindOf(404)]).toEqual([
    'tooLate',
    'denied',
    'denied',
    'refused',
  ])
})
