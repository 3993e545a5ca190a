import { STAFF_PAGE, STAFF_PAGES, type StaffPage } from '@shop/shared/staff-pages.ts'
import {
  ArrowLeftRight,
  BadgePercent,
  CalendarClock,
  ChartLine,
  Gamepad2,
  HandCoins,
  History,
  Inbox,
  Landmark,
  ListOrdered,
  type LucideIcon,
  MessagesSquare,
  Scale,
  ScrollText,
  Settings,
  UserCheck,
  UserCog,
  Users,
  WalletCards,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { matchPath } from 'react-router-dom'

interface Page {
  screen: ComponentType
  /** In the menu; null for pages that are reached from others. */
  icon: LucideIcon | null
  /** The page of the menu that it belongs to, for one that is reached from there. */
  under?: StaffPage
}

/** What each page shows; where it stands, for whom and in which menu says the table of staff pages. */
const pages: Record<StaffPage, Page> = {
  backlog: {
    icon: Inbox,
    screen: lazy(async () => ({ default: (await import('../backlog/backlog-screen.tsx')).BacklogScreen })),
  },
  queue: {
    icon: ListOrdered,
    screen: lazy(async () => ({ default: (await import('../order/queue-screen.tsx')).QueueScreen })),
  },
  history: {
    icon: History,
    screen: lazy(async () => ({ default: (await import('../order/history-screen.tsx')).HistoryScreen })),
  },
  orderDetails: {
    icon: null,
    screen: lazy(async () => ({ default: (await import('../order/details-screen.tsx')).DetailsScreen })),
  },
  wallet: {
    icon: WalletCards,
    screen: lazy(async () => ({ default: (await import('../wallet/wallet-screen.tsx')).WalletScreen })),
  },
  statement: {
    icon: Landmark,
    screen: lazy(async () => ({ default: (await import('../statement/statement-screen.tsx')).StatementScreen })),
  },
  refunds: {
    icon: HandCoins,
    screen: lazy(async () => ({ default: (await import('../statement/refunds-screen.tsx')).RefundsScreen })),
  },
  secondWords: {
    icon: UserCheck,
    screen: lazy(async () => ({ default: (await import('../value/second-words-screen.tsx')).SecondWordsScreen })),
  },
  sale: {
    icon: ChartLine,
    screen: lazy(async () => ({ default: (await import('../dashboard/sale-screen.tsx')).SaleScreen })),
  },
  stock: {
    icon: CalendarClock,
    screen: lazy(async () => ({ default: (await import('../dashboard/stock-screen.tsx')).StockScreen })),
  },
  reconciliation: {
    icon: Scale,
    screen: lazy(async () => ({
      default: (await import('../statement/reconciliation-screen.tsx')).ReconciliationScreen,
    })),
  },
  valueMoves: {
    icon: ArrowLeftRight,
    screen: lazy(async () => ({ default: (await import('../value/value-moves-screen.tsx')).ValueMovesScreen })),
  },
  game: {
    icon: Gamepad2,
    screen: lazy(async () => ({ default: (await import('../catalogue/games-screen.tsx')).GamesScreen })),
  },
  package: {
    icon: null,
    under: 'game',
    screen: lazy(async () => ({ default: (await import('../catalogue/packages-screen.tsx')).PackagesScreen })),
  },
  agent: {
    icon: Users,
    screen: lazy(async () => ({ default: (await import('../agent/agent-screen.tsx')).AgentScreen })),
  },
  discount: {
    icon: BadgePercent,
    screen: lazy(async () => ({ default: (await import('../agent/discount-screen.tsx')).DiscountScreen })),
  },
  users: {
    icon: UserCog,
    screen: lazy(async () => ({ default: (await import('../account/users-screen.tsx')).UsersScreen })),
  },
  user: {
    icon: null,
    screen: lazy(async () => ({ default: (await import('../account/user-screen.tsx')).UserScreen })),
  },
  chat: {
    icon: MessagesSquare,
    screen: lazy(async () => ({ default: (await import('../chat/chat-screen.tsx')).ChatScreen })),
  },
  appconfig: {
    icon: Settings,
    screen: lazy(async () => ({ default: (await import('../settings/settings-screen.tsx')).SettingsScreen })),
  },
  audit: {
    icon: ScrollText,
    screen: lazy(async () => ({ default: (await import('../audit/audit-screen.tsx')).AuditScreen })),
  },
}

/** Every page of the site, in menu order. */
export const PAGES = STAFF_PAGES.map(name => ({ ...STAFF_PAGE[name], ...pages[name] }))

/** The page of the menu that shows where `path` is. */
export function menuPageOf(path: string): StaffPage | undefined {
  const page = STAFF_PAGES.find(name => matchPath(STAFF_PAGE[name].path, path))
  return page && (pages[page].under ?? page)
}

export const iconOf = (name: StaffPage): LucideIcon | null => pages[name].icon
