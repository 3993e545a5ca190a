import { existsSync, writeFileSync, appendFileSync } from 'node:fs'
import { runSql, startBenchSite } from './site.ts'
const site = await startBenchSite()
writeFileSync('/tmp/h11-db', site.databaseUrl); writeFileSync('/tmp/h11-origin', site.origin)
const say = (t: string) => { console.log(t); appendFileSync('/tmp/h11-lists.log', t + '\n') }
async function grow(from: number, to: number) {
  const began = performance.now()
  await runSql(site.databaseUrl, 'SET session_replication_role = replica',
    `INSERT INTO account (uid, username, providers, given_name, family_name, email, created_at, role, status)
     SELECT 'cust-'||g, 'user'||g, '{password}', (ARRAY['น้ำฝน','สมชาย','กำลัง','ปิยะ','มานี','ชูใจ','วีระ','ปัทมา'])[1+g%8] || g%500, (ARRAY['ใจดี','ทองคำ','ศรีสุข','บุญมา'])[1+g%4] || (g%977), 'user'||g||'@example.com', now() - g * interval '1 minute', 'customer', 'active'
     FROM generate_series(${Math.floor(from / 20) + 1}, ${Math.floor(to / 20)}) g`,
    `CREATE TEMP TABLE past AS SELECT (row_number() OVER ())-1 AS n, * FROM orders WHERE status = 'success' AND order_no NOT LIKE '%-9%' LIMIT 400`,
    `CREATE TEMP TABLE fresh AS SELECT g, random() AS r, random() AS r2, now() - random() * interval '365 days' AS at FROM generate_series(${from + 1}, ${to}) g ORDER BY 4`,
    `INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, buyer_uid, game_id, package_id, player_id, player_name,
          snapshot, payment, quantity, price_satang, tail_satang, receiving_account_id, wallet_id, created_at, expires_at, paid_at,
          claimed_by, claimed_at, ended_at, delivery_reference, queue_no, transfer_reported_at)
     SELECT uuidv7(), 'KT' || to_char(f.at AT TIME ZONE 'Asia/Bangkok', 'YYMM') || '-' || lpad((f.g::bigint*7919 % 90000000)::text, 8, '0'), 'x' || f.g,
       s.status, 4, CASE WHEN agent THEN 'u:demo-agent' ELSE 'u:cust-' || 1 + f.g % ${Math.floor(to / 20)} END, CASE WHEN agent THEN 'demo-agent' ELSE 'cust-' || 1 + f.g % ${Math.floor(to / 20)} END,
       p.game_id, p.package_id, (5000000000 + (r2*1e9)::bigint)::text, CASE WHEN r2 < 0.5 THEN 'Player' || (r2*1e6)::int END, p.snapshot,
       CASE WHEN agent THEN 'wallet' ELSE 'bank' END, 1, p.price_satang, CASE WHEN agent THEN 0 ELSE 1 + f.g % 99 END,
       CASE WHEN NOT agent THEN 1 + f.g % 3 END, CASE WHEN agent THEN (SELECT id FROM wallet WHERE uid = 'demo-agent') END,
       f.at, f.at + interval '15 min', CASE WHEN s.paid THEN f.at + interval '3 min' END, CASE WHEN s.status='processing' THEN 'demo-staff' END, NULL,
       CASE WHEN s.status IN ('success','expired','cancel','refunded') THEN f.at + interval '20 min' END, CASE WHEN s.status='success' THEN 'R' || f.g END,
       CASE WHEN s.paid THEN nextval('order_queue_no') END, CASE WHEN s.late THEN f.at + interval '30 min' END
     FROM fresh f JOIN past p ON p.n = (f.r * 1e6)::int % (SELECT count(*) FROM past)
     CROSS JOIN LATERAL (SELECT CASE WHEN f.r2 < 0.9 THEN 'success' WHEN f.r2 < 0.96 THEN 'expired' WHEN f.r2 < 0.985 THEN 'cancel' WHEN f.r2<0.995 THEN 'refunded' WHEN f.at < now() - interval '2 days' THEN 'success' WHEN f.r2<0.998 THEN 'paid' ELSE 'processing' END AS status) s0
     CROSS JOIN LATERAL (SELECT s0.status, s0.status IN ('success','refunded','paid','processing') AS paid, s0.status='expired' AND f.r2 < 0.9005 AS late, s0.status IN ('success','refunded') AND f.g % 10 = 0 AS agent) s
     ON CONFLICT DO NOTHING`,
    `INSERT INTO ledger_transaction (id, kind, subject_id, at) SELECT uuidv7(), 'order_paid', o.id, o.paid_at FROM orders o WHERE o.wallet_id IS NOT NULL AND o.order_no LIKE 'KT%' AND track_token LIKE 'x%' AND NOT EXISTS (SELECT 1 FROM ledger_transaction t WHERE t.subject_id = o.id)`,
    `INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at) SELECT t.id, 1, 'wallet:' || o.wallet_id, -greatest(o.price_satang,1), t.at FROM ledger_transaction t JOIN orders o ON o.id = t.subject_id WHERE o.track_token LIKE 'x%' AND NOT EXISTS (SELECT 1 FROM ledger_entry e WHERE e.transaction_id = t.id)`,
    `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, entered_by, created_at) SELECT uuidv7(), 'TB-' || g, (SELECT id FROM wallet WHERE uid='demo-agent'), 10000, 'approve', 1, 'demo-agent', now() - random() * interval '365 days' FROM generate_series(${Math.floor(from / 20) + 1}, ${Math.floor(to / 20)}) g`,
    'VACUUM ANALYZE')
  say(`seeded ${from}..${to} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
}
const staff = site.headersOf('demo-staff'), agent = site.headersOf('demo-agent'), cust = site.headersOf('cust-7')
const H = '/romons.order/api/order/managehistory', O = '/romons.order/api/order/history', W = '/romons.payment/api/wallet/managetransactions'
const m = new Date().toISOString().slice(0, 7)
const one = async (sql: string) => Object.values((await runSql<any>(site.databaseUrl, sql))[0] ?? {})[0] as string
async function calls(): Promise<[string, string, Record<string, string>][]> {
  const no = await one(`SELECT order_no FROM orders WHERE track_token LIKE 'x%' OFFSET 5000 LIMIT 1`)
  const player = await one(`SELECT player_id FROM orders WHERE track_token LIKE 'x%' OFFSET 5005 LIMIT 1`)
  const next = async (q: string) => encodeURIComponent((await (await fetch(`${site.origin}${H}?${q}`, { headers: staff })).json() as any).next)
  return [
    ['staff, default (month, waiting)', `${H}?month=${m}&status=waiting_payment`, staff],
    ['staff, all months', H, staff],
    ['staff, month', `${H}?month=${m}`, staff],
    ['staff, month + success', `${H}?month=${m}&status=success`, staff],
    ['staff, refunded', `${H}?status=refunded`, staff],
    ['staff, game', `${H}?game=1`, staff],
    ['staff, month + game + status', `${H}?month=${m}&game=1&status=success&status=paid`, staff],
    ['sort created asc', `${H}?direction=asc`, staff],
    ['sort paid', `${H}?sort=paidAt`, staff],
    ['sort paid asc', `${H}?sort=paidAt&direction=asc`, staff],
    ['sort amount', `${H}?sort=amount`, staff],
    ['sort amount, month', `${H}?sort=amount&month=${m}`, staff],
    ['sort amount, month + success', `${H}?sort=amount&month=${m}&status=success`, staff],
    ['sort queue no', `${H}?sort=queueNo`, staff],
    ['sort queue no, month asc', `${H}?sort=queueNo&month=${m}&direction=asc`, staff],
    ['page 2 by place', `${H}?after=${await next('')}`, staff],
    ['page 2 by place, amount', `${H}?sort=amount&after=${await next('sort=amount')}`, staff],
    ['page 50 by number', `${H}?page=50`, staff],
    ['todo: reported', `${H}?waiting=reported`, staff],
    ['todo: paid', `${H}?waiting=paid`, staff],
    ['todo: mine', `${H}?waiting=mine`, staff],
    ['late reports', `${H}?waiting=lateReport`, staff],
    ['search order no, whole', `${H}?text=${no}`, staff],
    ['search order no, last 5', `${H}?text=${no.slice(-5)}`, staff],
    ['search order no, 3 digits', `${H}?text=${no.slice(-3)}`, staff],
    ['search order no, month part', `${H}?text=${no.slice(0, 7)}`, staff],
    ['search player id', `${H}?text=${player}`, staff],
    ['search player id, 6 digits', `${H}?text=${player.slice(2, 8)}`, staff],
    ['search buyer name', `${H}?text=${encodeURIComponent('กำลัง2')}`, staff],
    ['search agent name', `${H}?text=${encodeURIComponent('ปิติ ตัว')}`, staff],
    ['search nothing found', `${H}?text=zzzqqq`, staff],
    ['search within month', `${H}?month=${m}&text=${player.slice(2, 7)}`, staff],
    ['own, customer', O, cust],
    ['own, agent with 10 %', O, agent],
    ['own, agent, month + game', `${O}?month=${m}&game=1`, agent],
    ['own, agent, order no', `${O}?orderNo=${no.slice(-5)}`, agent],
    ['wallet, staff', W, staff],
    ['wallet, staff, month', `${W}?month=${m}`, staff],
    ['wallet, own', '/romons.payment/api/wallet/transactions', agent],
    ['box: number', `/romons.order/api/order/search?text=${no.slice(-6)}`, staff],
    ['box: name', `/romons.order/api/order/search?text=${encodeURIComponent('กำลัง2')}`, staff],
    ['box: amount', `/romons.order/api/order/search?text=149.37`, staff],
  ]
}
async function measure(): Promise<Map<string, string>> {
  const out = new Map<string, string>()
  for (const [name, path, headers] of await calls()) {
    for (let i = 0; i < 20; i++) await (await fetch(site.origin + path, { headers })).text()
    const t: number[] = []; let status = 0; let total = ''
    for (let i = 0; i < 200; i++) { const b = performance.now(); const r = await fetch(site.origin + path, { headers }); const x = await r.text(); t.push(performance.now() - b); status = r.status; if (status !== 200 && !path.includes('/search?')) throw new Error(name + status + x); if (i === 0 && status === 200) total = String((JSON.parse(x) as any).total) }
    t.sort((a, b) => a - b)
    out.set(name, `${t[100]!.toFixed(1)}\t${t[189]!.toFixed(1)}\t${status}\t${total}`)
    say(`${name}\t${out.get(name)}`)
    if (existsSync('/tmp/h11-stop')) break
  }
  return out
}
await grow(0, 10_000); say('--- 10k'); const small = await measure()
await grow(10_000, 1_000_000); say('--- 1M'); const large = await measure()
say('=== name\tp50 10k\tp95 10k\tp50 1M\tp95 1M\tratio p95')
for (const [n, s] of small) { const a = s.split('\t'), b = (large.get(n) ?? '').split('\t'); say(`${n}\t${a[0]}\t${a[1]}\t${b[0]}\t${b[1]}\t${(Number(b[1]) / Number(a[1])).toFixed(2)}\t${b[3]}`) }
while (!existsSync('/tmp/h11-stop')) await new Promise(r => setTimeout(r, 1000))
await site.stop(); process.exit(0)
