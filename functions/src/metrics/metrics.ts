import type { Labels, OfKind } from './instruments.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** Where durations are told. */
    metrics: Metrics
  }
}

/** One value of what can only be looked at. */
export interface Seen<Name extends OfKind<'looked'> = OfKind<'looked'>> {
  name: Name
  value: number
  labels: Labels<Name>
}

/** Where durations and counts are told. Telling never fails, and costs nothing while metrics are off. */
export interface Metrics {
  readonly isOn: boolean
  /** Tells how long something took, in seconds. */
  took<Name extends OfKind<'timed'>>(name: Name, seconds: number, labels: Labels<Name>): void
  /** Tells that there is more, or less, of something. */
  changed<Name extends OfKind<'counted'>>(name: Name, by: number, labels: Labels<Name>): void
  /** From now on, `read` is asked for what can only be looked at whenever somebody collects. */
  look(read: () => Promise<Seen[]>): void
  /** Sends what was not collected yet, and ends. */
  close(): Promise<void>
}

export interface MetricsSettings {
  OTEL_METRICS_EXPORTER: 'none' | 'prometheus' | 'otlp'
  OTEL_EXPORTER_PROMETHEUS_HOST: string
  OTEL_EXPORTER_PROMETHEUS_PORT: number
  OTEL_EXPORTER_OTLP_ENDPOINT: string
}

export const unmeasured: Metrics = {
  isOn: false,
  took: () => undefined,
  changed: () => undefined,
  look: () => undefined,
  close: async () => undefined,
}

/** Runs some work and tells how many seconds it took, and its error if it had one. */
export async function timed<T>(work: () => Promise<T>, tell: (seconds: number, error?: unknown) => void): Promise<T> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  try {
    const result = await work()
    tell(seconds())
    return result
  } catch (error) {
    tell(seconds(), error)
    throw error
  }
}
