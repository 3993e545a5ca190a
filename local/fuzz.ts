// `npm run fuzz -- 100000`: that many hostile requests against the real server; `npm test` sends a few thousand.
// `SEED=7 npm run fuzz -- 3000` repeats a run.
import { spawn } from 'node:child_process'
import { projectRoot } from './os-process.ts'

const count = process.argv[2] ?? '100000'
if (!/^[1-9]\d{0,7}$/.test(count)) throw new Error(`${count} is no number of requests`)
const child = spawn('vitest', ['run', '--project', 'firebase', 'functions/src/testing/hostile'], {
  cwd: projectRoot,
  env: { SEEDS: '1', ...process.env, SIZE: count },
  stdio: 'inherit',
})
child.once('exit', code => process.exit(code ?? 1))
