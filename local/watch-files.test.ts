import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEALTH_CHECK } from '@shop/shared/health/check.ts'
import { UNMEASURED } from 'functions/src/health/checks.ts'
import { ALERTS } from 'functions/src/metrics/panels.ts'
import { expect, test } from 'vitest'
import { projectRoot } from './os-process.ts'
import { watchFiles } from './watch-files.ts'

const folder = join(projectRoot, 'deploy/watch')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const page = readFileSync(join(projectRoot, 'docs/operations/watch.md'), 'utf8')

test('every message that an alert waits for is one that the server logs as an error', () => {
  const filter = JSON.parse(textOf('google-log.json')).conditions[0].conditionMatchedLog.filter as string
  const messages = [...filter.matchAll(/jsonPayload\.message="([^"]+)"/g)].map(([, message]) => message!)
  expect(messages.length).toBeGreaterThan(0)
  const sources = globSync('functions/src/**/*.ts', { cwd: projectRoot, exclude: ['**/*.test.ts'] })
  const code = sources.map(path => readFileSync(join(projectRoot, path), 'utf8')).join('\n')
  for (const message of messages) expect(code).toContain(`log('ERROR', '${message}'`)
})

test('every watcher asks for the pulse, and every alert of Prometheus is about what is scraped', () => {
  expect(JSON.parse(textOf('google-uptime.json')).httpCheck.path).toBe('/pulse')
  expect(textOf('google-pulse.json')).toContain('SHOP_HOST')
  const job = /job_name: (\S+)/.exec(textOf('prometheus.yml'))![1]
  expect(textOf('prometheus.yml')).toContain('targets: ["https://SHOP_HOST/pulse"]')
  const about = [...textOf('prometheus-rules.yml').matchAll(/expr: (.+)/g)].map(([, expr]) => expr)
  expect(about.length).toBeGreaterThan(0)
  for (const expr of about) expect(expr).toContain(`{job="${job}"}`)
})

test('the page says what to do about each check, and which files there are', () => {
  const said = [...page.matchAll(/^\| `([a-z]\w+)` \|/gm)].map(([, name]) => name)
  expect(said).toEqual([...UNMEASURED, ...Object.keys(HEALTH_CHECK)])
  for (const file of globSync('*', { cwd: folder })) {
    const google = /^google-(\w+)\.json$/.exec(file)?.[1]
    expect(page, file).toContain(google && google !== 'uptime' ? google : file)
  }
})

test('the page says what each rule of the metrics is about', () => {
  expect([...page.matchAll(/^\| `(Shop\w+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(ALERTS))
})

test('dashboards and alert rules are those of the tables; WRITE_DOCS=1 writes them anew', () => {
  for (const [name, text] of Object.entries(watchFiles())) {
    if (process.env.WRITE_DOCS) writeFileSync(join(folder, name), text)
    expect(textOf(name), name).toBe(text)
  }
})
