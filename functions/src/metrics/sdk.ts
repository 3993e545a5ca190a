import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Attributes, Meter } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { keysOf } from '@shop/shared/table.ts'
import { factsOf, log } from '../http/log.ts'
import { INSTRUMENT, type OfKind } from './instruments.ts'
import type { Metrics, MetricsSettings, Seen } from './metrics.ts'
import { hearOutsideCalls } from './outside-calls.ts'

/** The conventions' own boundaries for durations of requests, in seconds; ours wait longer for suppliers. */
const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30]
const EVERY_MS = 60_000
const CLOSE_MS = 2000
const PER_NANOSECOND = 1e-9

/** A shop whose metrics can't be collected sells all the same. */
const warn = (error: unknown) => log('WARNING', 'metrics not collected', { cause: factsOf(error) })

function readerOf(settings: MetricsSettings): MetricReader {
  const { OTEL_METRICS_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  if (OTEL_METRICS_EXPORTER === 'prometheus') {
    const { OTEL_EXPORTER_PROMETHEUS_HOST: host, OTEL_EXPORTER_PROMETHEUS_PORT: port } = settings
    return new PrometheusExporter({ host, port, withoutScopeInfo: true }, error => error && warn(error))
  }
  const url = new URL('v1/metrics', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, timeoutMillis: CLOSE_MS }),
    exportIntervalMillis: EVERY_MS,
    exportTimeoutMillis: CLOSE_MS,
  })
}

const namesOf = <Kind extends 'timed' | 'counted' | 'looked'>(kind: Kind) =>
  keysOf(INSTRUMENT).filter(name => INSTRUMENT[name].kind === kind) as OfKind<Kind>[]

function make<Kind extends 'timed' | 'counted' | 'looked', Made>(
  kind: Kind,
  one: (name: string, options: { unit: string; description: string }) => Made,
): Record<OfKind<Kind>, Made> {
  const made = namesOf(kind).map(key => {
    const { name, unit, about } = INSTRUMENT[key]
    return [key, one(name, { unit, description: about })]
  })
  return Object.fromEntries(made) as Record<OfKind<Kind>, Made>
}

/** Returns what reads this process: its memory, and how late and how busy it was since the last reading. */
function openProcessLook(): { look: () => Promise<Seen[]>; close: () => void } {
  const delays = monitorEventLoopDelay()
  delays.enable()
  let before = performance.eventLoopUtilization()
  return {
    async look() {
      const now = performance.eventLoopUtilization()
      const late = delays.percentile(99) * PER_NANOSECOND
      const { utilization } = performance.eventLoopUtilization(now, before)
      delays.reset()
      before = now
      return [
        { name: 'memory', value: process.memoryUsage.rss(), labels: {} },
        { name: 'eventLoopDelay', value: late, labels: {} },
        { name: 'eventLoopUse', value: utilization, labels: {} },
      ]
    },
    close: () => delays.disable(),
  }
}

/** Collects by OpenTelemetry's SDK, for Prometheus at a port of its own or for a collector that is sent everything. */
export function createMetrics(settings: MetricsSettings): Metrics {
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'service.instance.id': randomUUID() }),
    readers: [readerOf(settings)],
  })
  const meter: Meter = provider.getMeter('shop')
  const advice = { explicitBucketBoundaries: BOUNDARIES }
  const timers = make('timed', (name, options) => meter.createHistogram(name, { ...options, advice }))
  const counters = make('counted', (name, options) => meter.createUpDownCounter(name, options))
  const looked = make('looked', (name, options) => meter.createObservableGauge(name, options))
  const look: Metrics['look'] = read =>
    meter.addBatchObservableCallback(async result => {
      for (const { name, value, labels } of await read()) result.observe(looked[name], value, labels as Attributes)
    }, Object.values(looked))
  const ownProcess = openProcessLook()
  look(ownProcess.look)
  const took: Metrics['took'] = (name, seconds, labels) => timers[name].record(seconds, labels as Attributes)
  const deafen = hearOutsideCalls((seconds, labels) => took('outsideDuration', seconds, labels))
  return {
    isOn: true,
    took,
    changed: (name, by, labels) => counters[name].add(by, labels as Attributes),
    look,
    async close() {
      deafen()
      ownProcess.close()
      await provider.shutdown({ timeoutMillis: CLOSE_MS }).catch(warn)
    },
  }
}
