import { OWNER_NEWS_KINDS } from '@shop/shared/account/news.ts'
import { ENDING_STATUSES } from '@shop/shared/chat/buyer-messages.ts'
import { chatLinks } from '@shop/shared/chat/links.ts'
import { MESSAGE, MESSAGE_KINDS, type MessageFacts, type MessageKind } from '@shop/shared/chat/message.ts'
import { LONG, LONGEST_FACTS } from '@shop/shared/chat/testing.ts'
import { TROUBLE_KINDS } from '@shop/shared/chat/trouble.ts'
import { findMessagesFault } from 'local/line-emulator/message-rules.ts'
import { expect, test } from 'vitest'

/** As long as the addresses of a shop get. */
const links = chatLinks({
  liffId: null,
  storefrontUrl: `https://${'shop.'.repeat(40)}example`,
  adminUrl: `https://${'admin.'.repeat(35)}example`,
})
const build = <K extends MessageKind>(kind: K, change: Partial<MessageFacts[K]> = {}) =>
  MESSAGE[kind].build({ ...LONGEST_FACTS[kind], ...change }, links)

test.each(MESSAGE_KINDS)('LINE takes %s with the longest names and amounts there are', kind => {
  expect(findMessagesFault(build(kind))).toBeUndefined()
})

test('and with no text at all where people may leave it out', () => {
  const { order } = LONGEST_FACTS.orderPaid
  const empty = { ...order, gameName: '', packageName: '', playerId: '', playerName: '', reason: '' }
  for (const kind of ['orderPaid', 'orderUnclaimed'] as const)
    expect(findMessagesFault(build(kind, { order: empty, now: LONG.now }))).toBeUndefined()
  expect(findMessagesFault(build('refused', { why: '' }))).toBeUndefined()
})

test.each(ENDING_STATUSES)('LINE takes what a customer is told of %s', status => {
  const { order } = LONGEST_FACTS.orderEnded
  expect(findMessagesFault(build('orderEnded', { order: { ...order, status } }))).toBeUndefined()
})

test.each(OWNER_NEWS_KINDS)('LINE takes what the owner of an account is told of %s', kind => {
  const { news, ...rest } = LONGEST_FACTS.ownerNews
  expect(findMessagesFault(build('ownerNews', { ...rest, news: { ...news, kind } }))).toBeUndefined()
})

test.each(TROUBLE_KINDS)('LINE takes what managers are told of %s', kind => {
  expect(findMessagesFault(build('trouble', { kind }))).toBeUndefined()
})

test('one too many is noticed', () => {
  const [card] = build('orderPaid')
  expect(findMessagesFault([card, card, card, card, card, card])).toBeDefined()
  expect(findMessagesFault([{ ...card, altText: 'x'.repeat(1501) }])).toBeDefined()
})
