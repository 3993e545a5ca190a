import { SALE_CHANNEL } from '@shop/shared/dashboard/channel.ts'
import type { ResellerSales, SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { StaffLink } from '../account/staff-link.tsx'
import { Art } from '../ui/art.tsx'
import { type Bar, Bars } from './bars.tsx'
import { Part } from './part.tsx'
import { placeOfSales } from './place-of-sales.ts'
import { drawFirst, grouped, percent, REST, sumOf } from './series.ts'

interface Props {
  criteria: SaleFilter
}

/** The number of bars before the rest stands together. */
const BARS = 10

const revenueOf = ({ revenueSatang }: { revenueSatang: number }) => revenueSatang

export function GameRevenues({ criteria }: Props) {
  return (
    <Part kind="games" criteria={criteria}>
      {games => (
        <Bars
          rows={drawFirst<(typeof games)[number], Bar>(
            games,
            BARS,
            ({ gameId, gameName, revenueSatang }) => ({
              key: String(gameId),
              name: gameName,
              value: revenueSatang,
              to: placeOfSales(criteria, { game: gameId }),
            }),
            (rest, name) => ({ key: REST, name, value: sumOf(rest, revenueOf), isRest: true }),
          )}
          textOf={formatBaht}
        />
      )}
    </Part>
  )
}

/** What stands below a value: the number of orders, and the part of all. */
const noteOf = (rows: readonly { totalSale: number; revenueSatang: number }[]) => {
  const all = sumOf(rows, revenueOf)
  return ({ totalSale, revenueSatang }: (typeof rows)[number]) =>
    `${grouped(totalSale)} คำสั่งซื้อ · ${percent(all === 0 ? 0 : revenueSatang / all)}`
}

/** Shows how the buyers came to the shop. */
export function Channels({ criteria }: Props) {
  return (
    <Part kind="channels" criteria={criteria}>
      {channels => {
        const note = noteOf(channels)
        return (
          <Bars
            rows={channels.map(row => ({
              key: row.channel,
              name: SALE_CHANNEL[row.channel].label,
              about: SALE_CHANNEL[row.channel].note,
              value: row.revenueSatang,
              note: note(row),
              to: placeOfSales(criteria, { channel: row.channel }),
            }))}
            textOf={formatBaht}
          />
        )
      }}
    </Part>
  )
}

const RESELLER_NAME: Record<ResellerSales['kind'], (row: ResellerSales) => string> = {
  reseller: ({ name, uid }) => name ?? uid ?? '–',
  others: ({ count }) => `ตัวแทนอื่น (${count})`,
  none: () => 'ไม่ผ่านตัวแทน',
}

/** Shows the resellers who bought most, the others together, and what was sold without one. */
export function Resellers({ criteria }: Props) {
  return (
    <Part kind="resellers" criteria={criteria}>
      {resellers => {
        const note = noteOf(resellers)
        return (
          <Bars
            rows={resellers.map(row => ({
              key: row.uid ?? row.kind,
              name: RESELLER_NAME[row.kind](row),
              value: row.revenueSatang,
              note: note(row),
              to: row.uid === null ? undefined : placeOfSales(criteria, { buyer: row.uid, channel: 'reseller' }),
              isRest: row.kind === 'others',
              isOutside: row.kind === 'none',
            }))}
            textOf={formatBaht}
          />
        )
      }}
    </Part>
  )
}

export function TopPackages({ criteria }: Props) {
  return (
    <Part kind="top" criteria={criteria}>
      {packages => (
        <ol className="top">
          {packages.map(({ packageId, packageName, gameName, gamePicture, quantity, revenueSatang }, index) => (
            <li key={packageId} className="row">
              <span className="muted number">{index + 1}</span>
              <Art picture={gamePicture} />
              <span className="grow">
                <StaffLink
                  page="history"
                  className="strong breakable"
                  to={placeOfSales(criteria, { package: packageId })}
                >
                  {packageName}
                </StaffLink>
                <span className="note muted cut">{gameName}</span>
              </span>
              <span className="number sum">
                <b>{formatBaht(revenueSatang)}</b>
                <span className="note muted">{grouped(quantity)} ชิ้น</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Part>
  )
}
