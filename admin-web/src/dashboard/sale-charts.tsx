import type { SalePeriod } from '@shop/shared/dashboard/dashboard.ts'
import {
  getDailyRevenue,
  getSale,
  getSaleType,
  getTopPackages,
  type PackageSales,
} from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatStep } from '@shop/web/dates.ts'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Art } from '../ui/art.tsx'
import type { Complete } from './filters.tsx'
import { Part, useNumbers } from './part.tsx'
import { grouped, percent, type Series, seriesOf, slicesOf } from './series.ts'

const Lines = lazy(async () => ({ default: (await import('./charts.tsx')).Lines }))
const Ring = lazy(async () => ({ default: (await import('./charts.tsx')).Ring }))

interface Props {
  criteria: Complete<SalePeriod>
}
const isNothing = (list: readonly unknown[]) => list.length === 0
const views = [
  { value: 'chart', label: 'กราฟ' },
  { value: 'table', label: 'ตาราง' },
] as const

/** Orders of each package over the period: the most sold as lines, or all of them as a table. */
export function PackageLines({ criteria }: Props) {
  const query = useNumbers(getSale, criteria)
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const choice = <Segmented size="small" aria-label="แสดงเป็น" options={[...views]} value={view} onChange={setView} />
  return (
    <Part title="จำนวนที่ขาย แยกตามแพ็กเกจ" kind="lines" query={query} isEmpty={isNothing} extra={choice}>
      {packages => (view === 'chart' ? <LineChart packages={packages} /> : <StepTable packages={packages} />)}
    </Part>
  )
}

function LineChart({ packages }: { packages: PackageSales[] }) {
  const series = seriesOf(packages)
  const [hidden, setHidden] = useState<string[]>([])
  // A line needs two points.
  if (series[0]!.details.length === 1)
    return (
      <Bars
        rows={series.map(({ key, name, gameName, total }) => ({
          key,
          name,
          about: gameName,
          value: total,
          text: grouped(total),
        }))}
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

/** What each line is; one that hides the others can be put away. */
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
    // Reached by keys, so that it can be scrolled by them.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
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

/** Shares of the revenue: of games, or of the packages of the one that is chosen. */
export function Shares({ criteria }: Props) {
  const query = useNumbers(getSaleType, criteria)
  return (
    <Part title="สัดส่วนยอดขาย" kind="shares" query={query} isEmpty={isNothing}>
      {shares => {
        const slices = slicesOf(shares)
        const all = slices.reduce((sum, { satang }) => sum + satang, 0)
        return (
          <div className="shares">
            <div className="ring" aria-hidden="true">
              <Suspense fallback={null}>
                <Ring slices={slices} />
              </Suspense>
              <p>
                รวม<b className="number">฿{compact(all)}</b>
              </p>
            </div>
            <ul className="legend is-column">
              {slices.map(({ key, name, colour, share }) => (
                <li key={key} title={name}>
                  <i className="swatch" style={{ background: colour }} />
                  <span className="grow cut">{name}</span>
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

/** How long a list of bars is before the rest stands together. */
const BARS = 8

export function GameRevenues({ criteria }: Props) {
  const query = useNumbers(getDailyRevenue, criteria)
  return (
    <Part title="รายได้ตามเกม (บาท)" kind="games" query={query} isEmpty={isNothing}>
      {games => {
        const shown = games.length > BARS + 1 ? games.slice(0, BARS) : games
        const rest = games.slice(shown.length)
        const restSatang = rest.reduce((sum, { revenueSatang }) => sum + revenueSatang, 0)
        const rows = shown.map(each => bar(String(each.gameId), each.gameName, each.revenueSatang))
        if (rest.length > 0) rows.push(bar('others', `อื่น ๆ (${rest.length})`, restSatang))
        return <Bars rows={rows} />
      }}
    </Part>
  )
}

const bar = (key: string, name: string, satang: number): Bar => ({
  key,
  name,
  about: null,
  value: satang,
  text: formatBaht(satang),
})

interface Bar {
  key: string
  name: string
  about: string | null
  value: number
  text: string
}

function Bars({ rows }: { rows: Bar[] }) {
  const most = Math.max(...rows.map(({ value }) => value))
  return (
    <ul className="bars">
      {rows.map(({ key, name, about, value, text }) => (
        <li key={key}>
          <span>
            <span className="cut" title={name}>
              {name}
            </span>
            {about && <span className="note muted cut">{about}</span>}
          </span>
          <i className="track" aria-hidden="true">
            <i style={{ width: `${most > 0 ? Math.max(0.5, (value / most) * 100) : 0}%` }} />
          </i>
          <b className="number">{text}</b>
        </li>
      ))}
    </ul>
  )
}

export function TopPackages({ criteria }: Props) {
  const query = useNumbers(getTopPackages, criteria)
  return (
    <Part title="แพ็กเกจขายดี 3 อันดับ" kind="top" query={query} isEmpty={isNothing}>
      {packages => (
        <ol className="top">
          {packages.map(({ packageId, packageName, gameName, gamePicture, quantity, revenueSatang }, index) => (
            <li key={packageId}>
              <span className="muted number">{index + 1}</span>
              <Art picture={gamePicture} />
              <span className="grow">
                <b className="breakable">{packageName}</b>
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
