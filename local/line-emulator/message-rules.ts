import { findFlexFaults } from './flex-rules.ts'

export type Detail = { message: string; property: string }

/** LINE's error body: 400 answers carry it as is. */
export type LineError = { message: string; details?: Detail[] }

type Fields = Record<string, unknown>

const messageTypes = [
  'text',
  'image',
  'video',
  'audio',
  'location',
  'sticker',
  'template',
  'imagemap',
  'flex',
  'textV2',
  'coupon',
]
const actionTypes = [
  'postback',
  'message',
  'uri',
  'datetimepicker',
  'camera',
  'cameraRoll',
  'location',
  'richmenuswitch',
  'clipboard',
]
const uriSchemes = ['http:', 'https:', 'line:', 'tel:']

const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' })

/** LINE counts labels and displayText as people do: a Thai letter with its vowel and tone mark is one. */
export function countGraphemes(text: string): number {
  return [...graphemes.segment(text)].length
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks the `messages` of a send or validate call; undefined means LINE would accept them. */
export function findMessagesFault(messages: unknown): LineError | undefined {
  if (!Array.isArray(messages) || messages.length < 1 || messages.length > 5) {
    return toBodyError([{ message: 'Size must be between 1 and 5', property: 'messages' }])
  }
  const details = messages.flatMap((message, index) => findMessageFaults(message, `messages[${index}]`))
  if (details.length) return toBodyError(details)
  for (const [index, message] of messages.entries()) {
    if (message.type !== 'flex') continue
    const faults = findFlexFaults(message.contents)
    if (faults.length) {
      return { message: `A message (messages[${index}]) in the request body is invalid`, details: faults }
    }
  }
  return undefined
}

export function toBodyError(details: Detail[]): LineError {
  return { message: `The request body has ${details.length} error(s)`, details }
}

function findMessageFaults(message: unknown, property: string): Detail[] {
  if (!isFields(message)) return [{ message: 'May not be null', property }]
  const at = (name: string) => `${property}.${name}`
  const { type } = message
  const faults: Detail[] = []
  if (!messageTypes.includes(type as string)) {
    return [{ message: `Must be one of the following values: [${messageTypes.join(', ')}]`, property: at('type') }]
  }
  if (type === 'text' || type === 'textV2') faults.push(...findLengthFault(message.text, at('text'), 5000))
  if (type === 'flex') {
    faults.push(...findLengthFault(message.altText, at('altText'), 1500))
    if (!isFields(message.contents)) faults.push({ message: 'May not be null', property: at('contents') })
  }
  if (type === 'image') {
    faults.push(...findHttpsFault(message.originalContentUrl, at('originalContentUrl')))
    faults.push(...findHttpsFault(message.previewImageUrl, at('previewImageUrl')))
  }
  if (type === 'sticker') {
    for (const name of ['packageId', 'stickerId']) faults.push(...findLengthFault(message[name], at(name), 20))
  }
  if (type === 'template') {
    faults.push(...findLengthFault(message.altText, at('altText'), 1500))
    if (!isFields(message.template)) faults.push({ message: 'May not be null', property: at('template') })
  }
  if (message.quickReply !== undefined) faults.push(...findQuickReplyFaults(message.quickReply, at('quickReply')))
  return faults
}

/** Lengths are UTF-16 units here; only labels and displayText go by graphemes. */
function findLengthFault(value: unknown, property: string, max: number): Detail[] {
  if (typeof value !== 'string' || value === '') return [{ message: 'May not be empty', property }]
  return value.length > max ? [{ message: `Length must be between 0 and ${max}`, property }] : []
}

function findHttpsFault(value: unknown, property: string): Detail[] {
  if (typeof value !== 'string' || value === '') return [{ message: 'May not be empty', property }]
  return isHttpsOrLoopback(value) ? [] : [{ message: 'Must be a valid HTTPS URL', property }]
}

/** LINE wants https for pictures and webhooks; loopback http passes here because the local stack has no certificate. */
export function isHttpsOrLoopback(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
}

function findQuickReplyFaults(quickReply: unknown, property: string): Detail[] {
  const items = isFields(quickReply) ? quickReply.items : undefined
  if (!Array.isArray(items) || items.length < 1 || items.length > 13) {
    return [{ message: 'Size must be between 1 and 13', property: `${property}.items` }]
  }
  return items.flatMap((item, index) => {
    const at = `${property}.items[${index}].action`
    return isFields(item) ? findActionFaults(item.action, at, 20) : [{ message: 'May not be null', property: at }]
  })
}

/** Checks one action; `maxLabel` depends on where it stands, and a label is required there. */
export function findActionFaults(action: unknown, property: string, maxLabel?: number, separator = '.'): Detail[] {
  if (!isFields(action)) return [{ message: 'May not be null', property }]
  const at = (name: string) => `${property}${separator}${name}`
  if (!actionTypes.includes(action.type as string)) {
    return [{ message: `Must be one of the following values: [${actionTypes.join(', ')}]`, property: at('type') }]
  }
  const faults: Detail[] = []
  if (maxLabel !== undefined) faults.push(...findGraphemeFault(action.label, at('label'), maxLabel))
  if (action.type === 'postback') {
    faults.push(...findLengthFault(action.data, at('data'), 300))
    for (const name of ['displayText', 'text', 'fillInText'].filter(name => action[name] !== undefined)) {
      faults.push(...findGraphemeFault(action[name], at(name), 300))
    }
  }
  if (action.type === 'message') faults.push(...findGraphemeFault(action.text, at('text'), 300))
  if (action.type === 'uri') faults.push(...findUriFault(action.uri, at('uri')))
  return faults
}

function findGraphemeFault(value: unknown, property: string, max: number): Detail[] {
  if (typeof value !== 'string' || value === '') return [{ message: 'May not be empty', property }]
  return countGraphemes(value) > max ? [{ message: `Length must be between 0 and ${max}`, property }] : []
}

function findUriFault(uri: unknown, property: string): Detail[] {
  if (typeof uri !== 'string' || uri === '' || uri.length > 1000) return [{ message: 'invalid uri', property }]
  if (!URL.canParse(uri)) return [{ message: 'invalid uri', property }]
  return uriSchemes.includes(new URL(uri).protocol) ? [] : [{ message: 'invalid uri scheme', property }]
}
