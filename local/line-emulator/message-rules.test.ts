import { expect, test } from 'vitest'
import { findMessagesFault } from './message-rules.ts'

type Fields = Record<string, unknown>

const text = { type: 'text', text: 'hello' }
const button = (action: Fields) => ({ type: 'button', action })
const postback = { type: 'postback', label: 'press', data: 'x' }
const flex = (contents: Fields[], bubble: Fields = {}) => [
  {
    type: 'flex',
    altText: 'card',
    contents: { type: 'bubble', body: { type: 'box', layout: 'vertical', contents }, ...bubble },
  },
]
const faultOf = (messages: unknown) => {
  const fault = findMessagesFault(messages)
  return fault && [fault.message, ...(fault.details ?? []).map(({ property }) => property)].join(' ')
}

test.each<[string, unknown]>([
  ['text', [text]],
  ['a card', flex([text, button(postback)])],
  ['a keyboard with words in it', flex([button({ ...postback, inputOption: 'openKeyboard', fillInText: 'done ' })])],
  [
    'an icon in a line',
    flex([{ type: 'box', layout: 'baseline', contents: [{ type: 'icon', url: 'https://a.b/c.png' }] }]),
  ],
  ['coloured blocks', flex([text], { styles: { body: { backgroundColor: '#ffffff', separator: true } } })],
  ['a label of forty Thai letters', flex([button({ ...postback, label: 'กี่'.repeat(40) })])],
])('LINE takes %s', (_, messages) => expect(faultOf(messages)).toBeUndefined())

test.each<[string, unknown, string]>([
  ['a property that no action has', flex([button({ ...postback, colour: 'red' })]), '/body/contents/0/action/colour'],
  ['words for a keyboard that is not opened', flex([button({ ...postback, fillInText: 'x' })]), 'fillInText'],
  ['an input that is none', flex([button({ ...postback, inputOption: 'openDoor' })]), 'inputOption'],
  ['both texts of a postback', flex([button({ ...postback, text: 'a', displayText: 'b' })]), '/action/text'],
  ['data of 301 units', flex([button({ ...postback, data: 'x'.repeat(301) })]), '/action/data'],
  ['a label of forty-one letters', flex([button({ ...postback, label: 'กี่'.repeat(41) })]), '/action/label'],
  ['a button without a label', flex([button({ type: 'postback', data: 'x' })]), '/action/label'],
  ['an icon outside of a line', flex([{ type: 'icon', url: 'https://a.b/c.png' }]), '/body/contents/0/type'],
  ['a text that is empty', flex([{ type: 'text', text: '' }]), '/body/contents/0/text'],
  ['a colour by name', flex([{ ...text, color: 'red' }]), '/body/contents/0/color'],
  ['a style of a block that is none', flex([text], { styles: { tail: {} } }), '/styles/tail'],
  ['a colour by name in a style', flex([text], { styles: { body: { backgroundColor: 'red' } } }), 'backgroundColor'],
  ['a direction that is none', flex([text], { direction: 'up' }), '/direction'],
  ['a clipboard without text', flex([button({ type: 'clipboard', label: 'copy' })]), 'clipboardText'],
  ['a date of no mode', flex([button({ ...postback, type: 'datetimepicker' })]), '/action/mode'],
  ['six messages', Array(6).fill(text), 'messages'],
  ['none', [], 'messages'],
])('LINE refuses %s', (_, messages, at) => expect(faultOf(messages)).toContain(at))
