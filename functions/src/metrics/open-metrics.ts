import { type Metrics, type MetricsSettings, unmeasured } from './metrics.ts'

/** Opens what the settings ask for. OpenTelemetry's SDK is only loaded when something is collected. */
export async function openMetrics(settings: MetricsSettings): Promise<Metrics> {
  if (settings.OTEL_METRICS_EXPORTER === 'none') return unmeasured
  const { createMetrics } = await import('./sdk.ts')
  return createMetrics(settings)
}
