// Dashboards and alert rules as their systems read them, all from one table of panels and one of alerts.
import { ALERTS, PANELS } from 'functions/src/metrics/panels.ts'

type Unit = (typeof PANELS)[number]['unit']
const GRAFANA_UNIT = {
  seconds: 's',
  perSecond: 'reqps',
  share: 'percentunit',
  bytes: 'bytes',
  count: 'short',
} satisfies Record<Unit, string>

const SOURCE = { type: 'prometheus', uid: '$' + '{source}' }
/** Of the 24 columns that Grafana has, and of the 48 that Google has, a panel takes a third. */
const ACROSS = 3

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`

function grafanaDashboard(): string {
  const panels = PANELS.map(({ title, unit, lines }, at) => ({
    id: at + 1,
    type: 'timeseries',
    title,
    datasource: SOURCE,
    gridPos: { x: (at % ACROSS) * 8, y: Math.floor(at / ACROSS) * 8, w: 8, h: 8 },
    fieldConfig: { defaults: { unit: GRAFANA_UNIT[unit], min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true }, tooltip: { mode: 'multi' } },
    targets: Object.entries(lines).map(([legend, expr], nth) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + nth),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  }))
  return json({
    uid: 'shop',
    title: 'Shop',
    timezone: 'Asia/Bangkok',
    refresh: '30s',
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels,
  })
}

function googleDashboard(): string {
  const tiles = PANELS.map(({ title, lines }, at) => ({
    xPos: (at % ACROSS) * 16,
    yPos: Math.floor(at / ACROSS) * 16,
    width: 16,
    height: 16,
    widget: {
      title,
      xyChart: {
        dataSets: Object.entries(lines).map(([legend, prometheusQuery]) => ({
          plotType: 'LINE',
          // Google's templates have the label's name after a word and a full stop.
          legendTemplate: legend.replaceAll(/\{\{(\w+)\}\}/g, '$' + '{metric.labels.$1}'),
          timeSeriesQuery: { prometheusQuery },
        })),
      },
    },
  }))
  return json({ displayName: 'Shop', mosaicLayout: { columns: 48, tiles } })
}

function googleAlerts(): string {
  return json({
    displayName: 'The shop by its metrics',
    combiner: 'OR',
    conditions: Object.entries(ALERTS).map(([name, { when, forSeconds, summary }]) => ({
      displayName: `${name}: ${summary}`,
      conditionPrometheusQueryLanguage: {
        query: when,
        duration: `${forSeconds}s`,
        evaluationInterval: '60s',
        alertRule: name,
      },
    })),
  })
}

function prometheusRules(): string {
  const rules = Object.entries(ALERTS).map(([name, { when, forSeconds, severity, summary }]) =>
    [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(when)}`,
      `        for: ${forSeconds}s`,
      `        labels: { severity: ${severity} }`,
      '        annotations:',
      `          summary: ${JSON.stringify(summary)}`,
    ].join('\n'),
  )
  return `groups:\n  - name: shop-metrics\n    rules:\n${rules.join('\n')}\n`
}

/** The texts of the files in `deploy/watch` that are made from the tables, by their names. */
export const watchFiles = (): Record<string, string> => ({
  'grafana-dashboard.json': grafanaDashboard(),
  'google-dashboard.json': googleDashboard(),
  'google-metrics.json': googleAlerts(),
  'prometheus-metrics-rules.yml': prometheusRules(),
})
