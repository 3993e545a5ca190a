import { STAFF_PAGE, STAFF_PAGES, type StaffPage } from '@shop/shared/staff-pages.ts'
import {
  ArrowLeftRight,
  BadgePercent,
  CalendarClock,
  ChartLine,
  Gamepad2,
  HandCoins,
  HeartPulse,
  History,
  Inbox,
  KeyRound,
  Landmark,
  ListOrdered,
  type LucideIcon,
  MessagesSquare,
  Scale,
  ScrollText,
  Settings,
  Ticket,
  TrendingUp,
  Truck,
  UserCheck,
  UserCog,
  Users,
  UserX,
  WalletCards,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { matchPath } from 'react-router-dom'

interface Page {
  screen: ComponentType
  /** Its icon in the menu; null for pages that are reached from other pages. */
  icon: LucideIcon | null
  /** The page of the menu that is marked as current, where the page itself is not in the menu. */
  under?: StaffPage
}

/** A page whose code is loaded when it is first opened. */
const load = <Name extends string>(code: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await code())[name] }))

/** What each page shows; its path, its permission and its menu group stand in STAFF_PAGE. */
const pages: Record<StaffPage, Page> = {
  backlog: { icon: Inbox, screen: load(() => import('../backlog/backlog-screen.tsx'), 'BacklogScreen') },
  queue: { icon: ListOrdered, screen: load(() => import('../order/queue-screen.tsx'), 'QueueScreen') },
  history: { icon: History, screen: load(() => import('../order/history-screen.tsx'), 'HistoryScreen') },
  orderDetails: { icon: null, screen: load(() => import('../order/details-screen.tsx'), 'DetailsScreen') },
  wallet: { icon: WalletCards, screen: load(() => import('../wallet/wallet-screen.tsx'), 'WalletScreen') },
  statement: { icon: Landmark, screen: load(() => import('../statement/statement-screen.tsx'), 'StatementScreen') },
  refunds: { icon: HandCoins, screen: load(() => import('../statement/refunds-screen.tsx'), 'RefundsScreen') },
  secondWords: { icon: UserCheck, screen: load(() => import('../value/second-words-screen.tsx'), 'SecondWordsScreen') },
  codes: { icon: Ticket, screen: load(() => import('../voucher/stock-screen.tsx'), 'StockScreen') },
  codesOf: {
    icon: null,
    under: 'codes',
    screen: load(() => import('../voucher/codes-screen.tsx'), 'CodesScreen'),
  },
  sale: { icon: ChartLine, screen: load(() => import('../dashboard/sale-screen.tsx'), 'SaleScreen') },
  stock: { icon: CalendarClock, screen: load(() => import('../dashboard/stock-screen.tsx'), 'StockScreen') },
  reconciliation: {
    icon: Scale,
    screen: load(() => import('../statement/reconciliation-screen.tsx'), 'ReconciliationScreen'),
  },
  valueMoves: {
    icon: ArrowLeftRight,
    screen: load(() => import('../value/value-moves-screen.tsx'), 'ValueMovesScreen'),
  },
  suppliers: { icon: Truck, screen: load(() => import('../supplier/suppliers-screen.tsx'), 'SuppliersScreen') },
  reseller: { icon: KeyRound, screen: load(() => import('../reseller/resellers-screen.tsx'), 'ResellersScreen') },
  game: { icon: Gamepad2, screen: load(() => import('../catalogue/games-screen.tsx'), 'GamesScreen') },
  package: {
    icon: null,
    under: 'game',
    screen: load(() => import('../catalogue/packages-screen.tsx'), 'PackagesScreen'),
  },
  costs: { icon: TrendingUp, screen: load(() => import('../cost/costs-screen.tsx'), 'CostsScreen') },
  priceRules: {
    icon: null,
    under: 'game',
    screen: load(() => import('../cost/price-rules-screen.tsx'), 'PriceRulesScreen'),
  },
  lost: { icon: null, under: 'backlog', screen: load(() => import('../restore/lost-screen.tsx'), 'LostScreen') },
  agent: { icon: Users, screen: load(() => import('../agent/agent-screen.tsx'), 'AgentScreen') },
  agentDetails: {
    icon: null,
    under: 'agent',
    screen: load(() => import('../agent/details-screen.tsx'), 'AgentDetailsScreen'),
  },
  discount: { icon: BadgePercent, screen: load(() => import('../agent/discount-screen.tsx'), 'DiscountScreen') },
  users: { icon: UserCog, screen: load(() => import('../account/users-screen.tsx'), 'UsersScreen') },
  user: { icon: null, screen: load(() => import('./person-screen.tsx'), 'PersonScreen') },
  erasures: { icon: UserX, screen: load(() => import('../privacy/erasures-screen.tsx'), 'ErasuresScreen') },
  chat: { icon: MessagesSquare, screen: load(() => import('../chat/chat-screen.tsx'), 'ChatScreen') },
  appconfig: { icon: Settings, screen: load(() => import('../settings/settings-screen.tsx'), 'SettingsScreen') },
  health: { icon: HeartPulse, screen: load(() => import('../health/health-screen.tsx'), 'HealthScreen') },
  audit: { icon: ScrollText, screen: load(() => import('../audit/audit-screen.tsx'), 'AuditScreen') },
}

/** Every page of the site, in menu order. */
export const PAGES = STAFF_PAGES.map(name => ({ ...STAFF_PAGE[name], ...pages[name] }))

/** The page that the menu marks as current at `path`. */
export function menuPageOf(path: string): StaffPage | undefined {
  const page = STAFF_PAGES.find(name => matchPath(STAFF_PAGE[name].path, path))
  return page && (pages[page].under ?? page)
}

export const iconOf = (name: StaffPage): LucideIcon | null => pages[name].icon
