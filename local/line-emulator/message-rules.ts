import { type Detail, findActionFaults, findLengthFault, isFields, isHttpsOrLoopback } from './action-rules.ts'
import { findFlexFaults } from './flex-rules.ts'

/** The body of LINE's answers with 400. */
export interface LineError {
  message: string
  details?: Detail[]
}

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
/** Checks the `messages` of a send or validate call. Returns undefined when LINE would accept them. */
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

function findHttpsFault(value: unknown, property: string): Detail[] {
  if (typeof value !== 'string' || value === '') return [{ message: 'May not be empty', property }]
  return isHttpsOrLoopback(value) ? [] : [{ message: 'Must be a valid HTTPS URL', property }]
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
