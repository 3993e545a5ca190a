import { formatBaht } from '@shop/shared/money.ts'
import type { Listener } from './shop.ts'
import { THIEF_ROLES } from './thief.ts'
import { ALL_WAYS } from './ways.ts'
import type { TriedWay } from './week.ts'

const HEARD: Record<Listener, string> = { managers: 'managers', admins: 'every admin', owner: 'the owner' }

/** What a role takes by a way on one day; a thief's own money that is lost by it is no gain of the shop's. */
export const mostOf = ({ days }: TriedWay): number => Math.max(0, ...days.map(({ takenSatang }) => takenSatang))

/** Whole hundreds of baht: the satang by which transfers are told apart differ from run to run. */
const shown = (satang: number): string =>
  satang > 0 ? formatBaht(Math.floor(satang / 10_000) * 10_000).replace('.00', '') : '0'

/** Who was told, and after how long at most on the days on which they were. */
function toldOf(tried: readonly TriedWay[]): string {
  const heard = (['owner', 'managers', 'admins'] as const).flatMap(listener => {
    const minutes = tried.flatMap(({ days }) => days.flatMap(({ told }) => told[listener] ?? []))
    if (minutes.length === 0) return []
    const most = Math.max(1, ...minutes)
    return [`${HEARD[listener]} ${most <= 60 ? `${most} min` : 'that day'}`]
  })
  if (heard.length > 0) return heard.join(', ')
  return tried.some(({ kinds }) => kinds.size > 0) ? 'the page' : 'nobody'
}

/** The table of docs/security.md, one row for each way. */
export function tableOf(all: readonly TriedWay[]): string {
  const header = ['what one person tries alone', ...THIEF_ROLES, 'who is told', 'what holds it', 'test']
  const rows = ALL_WAYS.map(([name, way]) => {
    const tried = THIEF_ROLES.map(role => all.find(each => each.name === name && each.role === role)!)
    const [file, test] = way.test
    const cells = tried.map(each => shown(mostOf(each)))
    return [`\`${name}\`: ${way.tries}`, ...cells, toldOf(tried), way.control, `\`${file}\`: ${test}`]
  })
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}
