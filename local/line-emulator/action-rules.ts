// Checks of actions, and the checks that plain messages and Flex containers share.

export interface Detail {
  message: string
  property: string
}

type Fields = Record<string, unknown>

/** The properties that each type of action may have beside `type` and `label`. */
const actionProperties: Record<string, string[]> = {
  postback: ['data', 'displayText', 'text', 'inputOption', 'fillInText'],
  message: ['text'],
  uri: ['uri', 'altUri'],
  datetimepicker: ['data', 'mode', 'initial', 'max', 'min'],
  camera: [],
  cameraRoll: [],
  location: [],
  richmenuswitch: ['richMenuAliasId', 'data'],
  clipboard: ['clipboardText'],
}
const actionTypes = Object.keys(actionProperties)
const inputOptions = ['closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice']
const dateModes = ['date', 'time', 'datetime']
const uriSchemes = ['http:', 'https:', 'line:', 'tel:']

const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' })

/** LINE counts the texts of actions as people do: a Thai letter with its vowel and tone mark is one. */
function countGraphemes(text: string): number {
  return [...graphemes.segment(text)].length
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks that a text is not empty and has at most `max` UTF-16 units. */
export function findLengthFault(value: unknown, property: string, max: number): Detail[] {
  if (typeof value !== 'string' || value === '') return [{ message: 'May not be empty', property }]
  return value.length > max ? [{ message: `Length must be between 0 and ${max}`, property }] : []
}

/** LINE requires https for pictures. Here http on this machine is fine too, as the local stack has no certificate. */
export function isHttpsOrLoopback(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
}

/**
 * Checks one action.
 * @param maxLabel requires a label of at most so many graphemes; without it a label is optional
 * @param separator joins the names of properties in the faults
 */
export function findActionFaults(action: unknown, property: string, maxLabel?: number, separator = '.'): Detail[] {
  if (!isFields(action)) return [{ message: 'May not be null', property }]
  const at = (name: string) => `${property}${separator}${name}`
  if (!actionTypes.includes(action.type as string)) {
    return [{ message: `Must be one of the following values: [${actionTypes.join(', ')}]`, property: at('type') }]
  }
  const faults: Detail[] = Object.keys(action)
    .filter(name => !['type', 'label', ...actionProperties[action.type as string]!].includes(name))
    .map(name => ({ message: 'unknown field', property: at(name) }))
  if (maxLabel !== undefined) faults.push(...findGraphemeFault(action.label, at('label'), maxLabel))
  if (action.type === 'postback') {
    faults.push(...findLengthFault(action.data, at('data'), 300))
    for (const name of ['displayText', 'text', 'fillInText'].filter(name => action[name] !== undefined)) {
      faults.push(...findGraphemeFault(action[name], at(name), 300))
    }
    faults.push(...findInputFaults(action, at))
  }
  if (action.type === 'clipboard') faults.push(...findLengthFault(action.clipboardText, at('clipboardText'), 1000))
  if (action.type === 'datetimepicker') {
    faults.push(...findLengthFault(action.data, at('data'), 300), ...findWordFault(action.mode, at('mode'), dateModes))
  }
  if (action.type === 'richmenuswitch') {
    faults.push(...findLengthFault(action.richMenuAliasId, at('richMenuAliasId'), 32))
  }
  if (action.type === 'message') faults.push(...findGraphemeFault(action.text, at('text'), 300))
  if (action.type === 'uri') faults.push(...findUriFault(action.uri, at('uri')))
  return faults
}

/** Checks the properties with which a postback writes into the chat, or opens the keyboard or the menu. */
function findInputFaults(
  { inputOption, fillInText, text, displayText }: Fields,
  at: (name: string) => string,
): Detail[] {
  const faults = inputOption === undefined ? [] : findWordFault(inputOption, at('inputOption'), inputOptions)
  if (fillInText !== undefined && inputOption !== 'openKeyboard') {
    faults.push({ message: 'Only available with openKeyboard', property: at('fillInText') })
  }
  if (text !== undefined && displayText !== undefined) {
    faults.push({ message: 'May not be specified together with displayText', property: at('text') })
  }
  return faults
}

function findWordFault(value: unknown, property: string, words: string[]): Detail[] {
  if (words.includes(value as string)) return []
  return [{ message: `Must be one of the following values: [${words.join(', ')}]`, property }]
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
