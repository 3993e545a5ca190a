// How long the functions of the product are, and a word why for each that is long. `house.test.ts` holds them together.
import { parseAst } from 'vitest/node'

interface FoundFunction {
  /** Its own name, or that of what it is given to. */
  name: string
  lines: number
}

interface Node {
  type: string
  start: number
  end: number
  id?: { name?: string } | null
  key?: { name?: string }
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Returns the functions of a file, those within others as well. */
export function functionsOf(path: string, text: string): FoundFunction[] {
  const found: FoundFunction[] = []
  const walk = (node: Node, outer: string) => {
    const name = node.id?.name ?? node.key?.name ?? outer
    if (FUNCTIONS.includes(node.type)) found.push({ name, lines: text.slice(node.start, node.end).split('\n').length })
    for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, name)
  }
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as Node, '')
  return found
}

/** A function that is longer needs an entry in `LONG`. */
export const MOST_FUNCTION_LINES = 70

const MARKUP = 'flat markup: one element after the other, in the order of the screen'
const WITH_STATE = 'flat markup, and the state that only this screen reads'
/** What a screen keeps and does; apart, each piece would take all that the others hold. */
const ONE_STATE = 'one state and the few steps that share it, each short'

/** Why each function that is longer than that is so, by its package and name. One that is short again must leave. */
export const LONG: Readonly<Record<string, string>> = {
  'functions openDatabase': 'one pool, and what is known of its silence; each function within is short and shares them',
  'functions orders': 'a flat list of indexes, each with the query that needs it',
  'admin-web ClaimActions': MARKUP,
  'admin-web CommandDialog': MARKUP,
  'admin-web LoginScreen': WITH_STATE,
  'admin-web MessageList': MARKUP,
  'admin-web NewPackageDrawer': WITH_STATE,
  'admin-web OrderSearch': WITH_STATE,
  'admin-web PageOrder': MARKUP,
  'admin-web PriceDialog': MARKUP,
  'admin-web PriceRowFields': MARKUP,
  'admin-web QueueScreen': WITH_STATE,
  'admin-web RefundsScreen': MARKUP,
  'admin-web SortableList': MARKUP,
  'admin-web StatementFilterBar': MARKUP,
  'admin-web StatementScreen': WITH_STATE,
  'admin-web TagList': WITH_STATE,
  'admin-web TakeBackDialog': MARKUP,
  'admin-web ValueMovesScreen': MARKUP,
  'admin-web WalletScreen': WITH_STATE,
  'admin-web useLineDecision': ONE_STATE,
  'admin-web useOrderChange': ONE_STATE,
  'admin-web usePrices': ONE_STATE,
  'liff-app AddWebhookSheet': MARKUP,
  'liff-app Agreement': MARKUP,
  'liff-app CodesCard': MARKUP,
  'liff-app EmailForm': WITH_STATE,
  'liff-app EraseAccount': MARKUP,
  'liff-app LinksPanel': MARKUP,
  'liff-app Purchase': MARKUP,
  'liff-app usePlacing': ONE_STATE,
  'liff-app useTopUp': ONE_STATE,
  'web createSession': ONE_STATE,
}
