import { ALL, type PackageSales, type SaleFilter } from '@shop/shared/dashboard/endpoints.ts'
import { formatStep } from '@shop/web/dates.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { StaffLink } from '../account/staff-link.tsx'
import { Bars } from './bars.tsx'
import { Part } from './part.tsx'
import { placeOfSales } from './place-of-sales.ts'
import { grouped, percent, REST, type Series, seriesOf, slicesOf, sumOf } from './series.ts'

const Lines = lazy(async () => ({ default: (await import('./charts.tsx')).Lines }))
const Ring = lazy(async () => ({ default: (await import('./charts.tsx')).Ring }))

interface Props {
  criteria: SaleFilter
}
const views = [
  { value: 'chart', label: 'กราฟ' },
  { value: 'table', label: 'ตาราง' },
] as const

/** Shows the orders of each package over the period: the most sold as lines, or all of them as a table. */
export function PackageLines({ criteria }: Props) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const choice = <Segmented size="small" aria-label="แสดงเป็น" options={[...views]} value={view} onChange={setView} />
  return (
    <Part kind="lines" criteria={criteria} extra={choice}>
      {packages => (view === 'chart' ? <LineChart packages={packages} /> : <StepTable packages={packages} />)}
    </Part>
  )
}

function LineChart({ packages }: { packages: PackageSales[] }) {
  const series = seriesOf(packages)
  // The rest of many packages would press the lines of the best ones to the ground.
  const [hidden, setHidden] = useState<string[]>([REST])
  // A line needs two points.
  if (series[0]!.details.length === 1)
    return (
      <Bars
        rows={series.map(({ key, name, gameName, total }) => ({ key, name, about: gameName, value: total }))}
        textOf={grouped}
      />
    )
  return (
    <>
      <div className="chart" aria-hidden="true">
        <Suspense fallback={null}>
          <Lines series={series} hidden={hidden} />
        </Suspense>
      </div>
      <Legend
        series={series}
        hidden={hidden}
        onToggle={key => setHidden(hidden.includes(key) ? hidden.filter(each => each !== key) : [...hidden, key])}
      />
    </>
  )
}

/** Names each line; a line that covers the others can be hidden. */
function Legend(props: { series: Series[]; hidden: string[]; onToggle: (key: string) => void }) {
  const { series, hidden, onToggle } = props
  return (
    <ul className="legend" aria-label="เส้นในกราฟ">
      {series.map(({ key, name, gameName, colour, total }) => (
        <li key={key}>
          <button
            type="button"
            aria-pressed={!hidden.includes(key)}
            title={gameName ? `${gameName} · ${name}` : name}
            onClick={() => onToggle(key)}
          >
            <i className="swatch" style={{ background: colour }} />
            <span className="cut">{name}</span>
            <b className="number">{grouped(total)}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}

function StepTable({ packages }: { packages: PackageSales[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a region to scroll it
    <section className="step-table" aria-label="ตารางจำนวนที่ขาย" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">แพ็กเกจ</th>
            {packages[0]!.details.map(({ period }) => (
              <th key={period} scope="col">
                {formatStep(period)}
              </th>
            ))}
            <th scope="col">รวม</th>
          </tr>
        </thead>
        <tbody>
          {packages.map(({ packageId, packageName, gameName, totalSale, details }) => (
            <tr key={packageId}>
              <th scope="row">
                {packageName} <span className="muted">{gameName}</span>
              </th>
              {details.map(each => (
                <td key={each.period} className={each.totalSale === 0 ? 'muted' : ''}>
                  {grouped(each.totalSale)}
                </td>
              ))}
              <td className="strong">{grouped(totalSale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Shows shares of the revenue: of games, or of the packages of the chosen game. */
export function Shares({ criteria }: Props) {
  return (
    <Part kind="shares" criteria={criteria}>
      {shares => {
        const slices = slicesOf(shares)
        return (
          <div className="shares">
            <div className="ring" aria-hidden="true">
              <Suspense fallback={null}>
                <Ring slices={slices} />
              </Suspense>
              <p>
                รวม<b className="number">฿{compact(sumOf(shares, ({ revenueSatang }) => revenueSatang))}</b>
              </p>
            </div>
            <ul className="legend is-column">
              {slices.map(({ key, name, colour, share }) => (
                <li key={key} title={name}>
                  <i className="swatch" style={{ background: colour }} />
                  {key === REST ? (
                    <span className="grow cut">{name}</span>
                  ) : (
                    <StaffLink
                      page="history"
                      className="grow cut"
                      to={placeOfSales(criteria, { [criteria.game === ALL ? 'game' : 'package']: key })}
                    >
                      {name}
                    </StaffLink>
                  )}
                  <b className="number">{percent(share)}</b>
                </li>
              ))}
            </ul>
          </div>
        )
      }}
    </Part>
  )
}

const compact = (satang: number): string =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(satang / 100)
