import type { RevenueStep } from '@shop/shared/dashboard/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatStep } from '@shop/web/dates.ts'
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  Pie,
  PieChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { grouped, percent, REST, type Series, type Slice } from './series.ts'

const axis = { stroke: '#e4e7ed', tick: { fill: '#4b5263', fontSize: 12 }, tickLine: false } as const

/** Draws a line for each series that is not hidden. Screen readers skip it, because the legend and the table say the same. */
export function Lines({ series: all, hidden }: { series: Series[]; hidden: string[] }) {
  const series = all.filter(({ key }) => !hidden.includes(key))
  const points = all[0]!.details.map(({ period }, step) => ({
    period: formatStep(period),
    ...Object.fromEntries(series.map(({ key, details }) => [key, details[step]!.totalSale])),
  }))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={points} margin={{ top: 8, right: 24, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid stroke="#eef0f4" vertical={false} />
        <XAxis
          dataKey="period"
          {...axis}
          minTickGap={16}
          padding={{ left: 24, right: 8 }}
          interval="preserveStartEnd"
        />
        <YAxis {...axis} axisLine={false} width="auto" allowDecimals={false} tickFormatter={grouped} />
        <Tooltip
          isAnimationActive={false}
          wrapperStyle={{ zIndex: 2 }}
          content={({ active, payload, label }) =>
            active && payload.length > 0 ? (
              <div className="chart-tip">
                <strong>{label}</strong>
                {series.map(({ key, name, colour }) => (
                  <div key={key} className="row">
                    <i className="swatch" style={{ background: colour }} />
                    <span className="grow cut">{name}</span>
                    <b className="number">{grouped(Number(payload[0]!.payload[key]))}</b>
                  </div>
                ))}
              </div>
            ) : null
          }
        />
        {series.map(({ key, name, colour }) => (
          <Line
            key={key}
            type="linear"
            dataKey={key}
            name={name}
            stroke={colour}
            strokeWidth={2.2}
            strokeDasharray={key === REST ? '5 4' : undefined}
            dot={points.length <= 2 ? { r: 3, fill: colour } : false}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  )
}

/** Draws the revenue of each step as a bar, before the outline of the period before. A list says the same to readers. */
export function RevenueBars({ steps, before }: { steps: readonly RevenueStep[]; before: string }) {
  const points = steps.map(({ period, revenueSatang, beforeSatang }) => ({
    period: formatStep(period),
    now: revenueSatang / 100,
    earlier: beforeSatang / 100,
  }))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={points} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} barGap={2} accessibilityLayer={false}>
        <CartesianGrid stroke="#eef0f4" vertical={false} />
        <XAxis dataKey="period" {...axis} minTickGap={16} interval="preserveStartEnd" />
        <YAxis {...axis} axisLine={false} width="auto" tickFormatter={grouped} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: '#f4f5f8' }}
          wrapperStyle={{ zIndex: 2 }}
          content={({ active, payload, label }) =>
            active && payload.length > 0 ? (
              <div className="chart-tip">
                <strong>{label}</strong>
                <div className="row">
                  <span className="grow">รายได้</span>
                  <b className="number">{grouped(Number(payload[0]!.payload.now))}</b>
                </div>
                <div className="row">
                  <span className="grow">{before}</span>
                  <b className="number">{grouped(Number(payload[0]!.payload.earlier))}</b>
                </div>
              </div>
            ) : null
          }
        />
        <Bar
          dataKey="earlier"
          fill="transparent"
          stroke="#9aa3b5"
          strokeDasharray="3 3"
          maxBarSize={28}
          isAnimationActive={false}
        />
        <Bar dataKey="now" fill="#2347c5" radius={[3, 3, 0, 0]} maxBarSize={28} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  )
}

export function Ring({ slices }: { slices: Slice[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <PieChart accessibilityLayer={false}>
        <Pie
          data={slices.map(slice => ({ ...slice, fill: slice.colour }))}
          dataKey="satang"
          nameKey="name"
          innerRadius="62%"
          outerRadius="100%"
          startAngle={90}
          endAngle={-270}
          stroke="#fff"
          strokeWidth={2}
          isAnimationActive={false}
          rootTabIndex={-1}
        />
        <Tooltip
          isAnimationActive={false}
          wrapperStyle={{ zIndex: 2 }}
          content={({ active, payload }) => {
            const slice = active ? (payload[0]?.payload as Slice | undefined) : undefined
            return slice ? (
              <div className="chart-tip">
                {slice.name}
                <b className="number">{` ฿${formatBaht(slice.satang)} · ${percent(slice.share)}`}</b>
              </div>
            ) : null
          }}
        />
      </PieChart>
    </ResponsiveContainer>
  )
}
