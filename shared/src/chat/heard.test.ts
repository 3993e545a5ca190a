import { expect, test } from 'vitest'
import { readWebhook } from './heard.ts'

const base = {
  mode: 'active',
  timestamp: Date.parse('2026-11-20T05:00:00.000Z'),
  source: { type: 'group', groupId: 'C1', userId: 'U1' },
  webhookEventId: '01ABC',
  deliveryContext: { isRedelivery: false },
  replyToken: 'r',
}
const press = { ...base, type: 'postback', postback: { data: 'status' } }

test('what concerns the shop is kept, with who, where and when', () => {
  expect(readWebhook({ destination: 'U0', events: [press] })).toEqual([
    {
      eventId: '01ABC',
      at: '2026-11-20T05:00:00.000Z',
      userId: 'U1',
      groupId: 'C1',
      replyToken: 'r',
      what: { is: 'asked', ask: { ask: 'status', orderNo: null } },
    },
  ])
})

test('what people say to each other is not kept', () => {
  const said = { ...base, type: 'message', message: { type: 'text', id: '1', text: 'กินข้าวยัง' } }
  const sticker = { ...base, type: 'message', message: { type: 'sticker', id: '1' } }
  expect(readWebhook({ events: [said, sticker] })).toEqual([])
})

test('who pressed may be missing', () => {
  expect(readWebhook({ events: [{ ...press, source: { type: 'group', groupId: 'C1' } }] })[0]).toMatchObject({
    userId: null,
    groupId: 'C1',
  })
})

test('of a chat that another service answers only the friendship is heard', () => {
  const events = [press, { ...base, type: 'follow', replyToken: undefined }].map(each => ({ ...each, mode: 'standby' }))
  expect(readWebhook({ events }).map(({ what }) => what.is)).toEqual(['followed'])
})

test.each([
  null,
  'text',
  [],
  {},
  { events: null },
  { events: [null, 1, {}, { ...press, timestamp: 'now' }, { ...press, source: undefined }] },
  {
    events: [
      { ...press, type: 'postback2' },
      { ...press, postback: undefined },
      { ...press, source: { type: 'room' } },
    ],
  },
])('what LINE may send some day breaks nothing: %j', body => {
  expect(readWebhook(body)).toEqual([])
})

test('one that can be read is heard beside one that can not', () => {
  expect(readWebhook({ events: [{ type: 'future' }, press] })).toHaveLength(1)
})

test.each([
  [
    'a text that can not be stored',
    { type: 'message', message: { type: 'text', text: 'เสร็จ KT2611-04821937 A\u0000' } },
  ],
  ['half a letter', { type: 'message', message: { type: 'text', text: 'เสร็จ KT2611-04821937 \ud83d' } }],
  ['a time that there is not', { timestamp: 9e15 }],
])('%s leaves out its own event alone', (_, change) => {
  expect(readWebhook({ events: [{ ...press, ...change }, press] })).toHaveLength(1)
})
