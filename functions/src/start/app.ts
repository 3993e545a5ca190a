import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { isOfMachines } from '@shop/shared/permissions.ts'
import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono'
import { accountRoutes } from '../access/handlers.ts'
import { tellAsker } from '../access/word-news.ts'
import { agentRoutes } from '../agent/handlers.ts'
import { auditRoutes } from '../audit/handlers.ts'
import { workRoutes } from '../backlog/handlers.ts'
import { openApiDocument } from '../call/openapi.ts'
import { answerError, callOf, failureOf, type Route, routeOf } from '../call/route.ts'
import { bannerRoutes } from '../catalogue/banner-handlers.ts'
import { bulkRoutes } from '../catalogue/bulk-handlers.ts'
import { gameRoutes } from '../catalogue/game-handlers.ts'
import { catalogueRoutes } from '../catalogue/handlers.ts'
import { importRoutes } from '../catalogue/import-handlers.ts'
import { packageRoutes } from '../catalogue/package-handlers.ts'
import { paymentRoutes } from '../catalogue/payment-handlers.ts'
import { pictureRoutes } from '../catalogue/pictures.ts'
import { registerPreviews } from '../catalogue/preview.ts'
import { chatRoutes } from '../chat/handlers.ts'
import { registerLineWebhook } from '../chat/webhook.ts'
import { costRoutes } from '../cost/handlers.ts'
import { buyerRoutes } from '../credit/buyer.ts'
import { creditRoutes } from '../credit/handlers.ts'
import { dashboardRoutes } from '../dashboard/handlers.ts'
import { as, row, sql } from '../database/sql.ts'
import { registerGatewayWebhook } from '../gateway/webhook.ts'
import { healthRoutes } from '../health/handlers.ts'
import { registerWatch } from '../health/watch.ts'
import { registerDocs } from '../http/docs.ts'
import { FRONT_HEADER, findFrontSecret } from '../http/front.ts'
import { requireReadableUrl } from '../http/input.ts'
import { log } from '../http/log.ts'
import { registerReady } from '../http/ready.ts'
import { asRequest, REQUEST_ID, requestIdOf } from '../http/request-id.ts'
import { mailRoutes } from '../mail/handlers.ts'
import { type Metrics, timed } from '../metrics/metrics.ts'
import { codeReplacingRoutes } from '../order/correcting/code-replacing.ts'
import { correctionRoutes } from '../order/correcting/correction-handlers.ts'
import { reduceRoutes } from '../order/correcting/reduce-handlers.ts'
import { codeRoutes } from '../order/delivering/code-handlers.ts'
import { queueRoutes } from '../order/delivering/queue-handlers.ts'
import { statusRoutes } from '../order/delivering/status-handlers.ts'
import { supplierOrderRoutes } from '../order/delivering/supplier-handlers.ts'
import { findingRoutes } from '../order/finding/handlers.ts'
import { historyRoutes } from '../order/finding/history.ts'
import { chargeRoutes } from '../order/paying/charge-handlers.ts'
import { holdRoutes } from '../order/paying/proof-handlers.ts'
import { reportRoutes } from '../order/paying/report-handlers.ts'
import { placingRoutes } from '../order/placing/handlers.ts'
import { privacyRoutes } from '../privacy/handlers.ts'
import { noteKey } from '../pulse/note-key.ts'
import { registerResellerDocs } from '../reseller/docs.ts'
import { keyRoutes } from '../reseller/key-handlers.ts'
import { resellerStaffRoutes } from '../reseller/staff-handlers.ts'
import { apiRoutes } from '../reseller/v1-handlers.ts'
import { restoreRoutes } from '../restore/handlers.ts'
import { settingsRoutes } from '../settings/handlers.ts'
import type { Shop } from '../shop/shop.ts'
import { slipCheckRoutes } from '../slipcheck/handlers.ts'
import { statementRoutes } from '../statement/handlers.ts'
import { registerSupplierCallback } from '../supplier/callback.ts'
import { supplierRoutes } from '../supplier/handlers.ts'
import { uploadRoutes } from '../upload/handlers.ts'
import { askSecondWord } from '../value/asking.ts'
import { valueRoutes } from '../value/handlers.ts'
import { stockRoutes } from '../voucher/stock.ts'
import { agentPageRoutes } from '../wallet/agent-page.ts'
import { gatewayTopUpRoutes } from '../wallet/gateway-top-ups.ts'
import { walletRoutes } from '../wallet/handlers.ts'
import { walletStaffRoutes } from '../wallet/staff-handlers.ts'
import { webhookRoutes } from '../webhook/handlers.ts'
import { undo } from './undo-kind.ts'

/** Every endpoint of the server. */
export const routes: readonly Route[] = [
  ...gameRoutes,
  ...importRoutes,
  ...packageRoutes,
  ...bulkRoutes,
  ...paymentRoutes,
  ...bannerRoutes,
  ...pictureRoutes,
  ...settingsRoutes,
  // These come after the others, because a game's code in a path would match their paths.
  ...catalogueRoutes,
  ...supplierOrderRoutes,
  ...reduceRoutes,
  ...placingRoutes,
  ...statusRoutes,
  ...findingRoutes,
  ...reportRoutes,
  ...codeRoutes,
  ...chargeRoutes,
  ...creditRoutes,
  ...correctionRoutes,
  ...codeReplacingRoutes,
  ...holdRoutes,
  ...queueRoutes,
  ...historyRoutes,
  ...buyerRoutes,
  ...privacyRoutes,
  ...accountRoutes,
  ...uploadRoutes,
  ...slipCheckRoutes,
  ...supplierRoutes,
  ...stockRoutes,
  ...costRoutes,
  ...auditRoutes,
  ...undo,
  ...walletRoutes,
  ...gatewayTopUpRoutes,
  ...walletStaffRoutes,
  ...agentPageRoutes,
  ...agentRoutes,
  ...keyRoutes,
  ...apiRoutes,
  ...resellerStaffRoutes,
  ...statementRoutes,
  ...dashboardRoutes,
  ...workRoutes,
  ...healthRoutes,
  ...restoreRoutes,
  ...chatRoutes,
  ...valueRoutes({ find: call => routes.find(({ endpoint }) => callOf(endpoint) === call), tellAsker }),
  ...mailRoutes,
  ...webhookRoutes,
]

/** A method that is none of HTTP's own must not become a label of its own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What fails through the shop itself; that somebody outside does is watched on its own. */
const OURS: ReadonlySet<ErrorCode> = new Set(['INTERNAL', 'UNAVAILABLE'])

async function measureRequest(c: Context, next: Next, metrics: Metrics): Promise<void> {
  const method = { 'http.request.method': METHODS.has(c.req.method) ? c.req.method : '_OTHER' }
  metrics.changed('activeRequests', 1, method)
  try {
    await timed(next, seconds =>
      metrics.took('requestDuration', seconds, {
        ...method,
        'http.route': routeOf(c),
        'http.response.status_code': c.res.status,
      }),
    )
  } finally {
    metrics.changed('activeRequests', -1, method)
  }
}

/** Refuses what comes past our own front, where there is one. */
const throughFront =
  (shop: Shop): MiddlewareHandler =>
  async (c, next) => {
    const { FRONT_SECRET: secrets } = shop.config
    const given = findFrontSecret(c.req.header(FRONT_HEADER), secrets)
    if (given) void noteKey(shop.beat, 'FRONT_SECRET', secrets, given)
    if (!given && secrets.length > 0) {
      log('WARNING', 'request past our front refused', { method: c.req.method })
      throw new AppError('FORBIDDEN')
    }
    await next()
  }

function registerFiles(app: Hono, { files }: Shop): void {
  app.get('/files/*', async c => {
    const key = decodeURIComponent(c.req.path.slice('/files/'.length))
    const file = await files.readPublic(key)
    if (!file) throw new AppError('NOT_FOUND')
    return c.body(new Uint8Array(file.body), 200, {
      'content-type': file.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}

function registerDocument(app: Hono): void {
  let document: object | undefined
  app.get('/openapi.json', c => {
    // Agents' machines have a document of their own.
    document ??= openApiDocument(routes.map(each => each.endpoint).filter(({ allow }) => !isOfMachines(allow)))
    return c.json(document)
  })
}

/**
 * Returns the API as a fetch handler. `logsRequests` logs each request by its route, because paths contain ids and
 * tokens.
 */
export function createApp(shop: Shop, options: { logsRequests?: boolean } = {}): Hono {
  const app = new Hono()
  app.use((c, next) => {
    const requestId = requestIdOf(name => c.req.header(name))
    // Headers are set before there is an answer, because setting them later would build the answer anew.
    c.header(REQUEST_ID, requestId)
    return asRequest(requestId, next)
  })
  if (shop.metrics.isOn) app.use((c, next) => measureRequest(c, next, shop.metrics))
  app.use(async (c, next) => {
    const started = performance.now()
    c.header('x-content-type-options', 'nosniff')
    await next()
    if (!options.logsRequests) return
    const tookMs = Math.round(performance.now() - started)
    log('INFO', 'request', { method: c.req.method, route: routeOf(c), status: c.res.status, tookMs })
  })
  app.use(async (c, next) => {
    requireReadableUrl(c.req.url)
    await next()
  })
  // The usual names end in z, which Cloud Run keeps for itself: there the plain ones reach us.
  app.on('GET', ['/health', '/healthz'], async c => {
    await shop.db.query({ text: sql`SELECT ${row({ isThere: as.bool('true') })}` })
    return c.json({ ok: true })
  })
  registerReady(app, shop)
  registerWatch(app, shop)
  // This comes after the health checks, which the platform calls itself and which reveal nothing.
  app.use(throughFront(shop))
  app.use(async (c, next) => {
    await next()
    shop.answers.note(c.error !== undefined && OURS.has(failureOf(c.error).code))
  })
  registerFiles(app, shop)
  registerSupplierCallback(app, shop)
  registerGatewayWebhook(app, shop)
  registerLineWebhook(app, shop)
  registerPreviews(app, shop)
  registerDocument(app)
  registerDocs(app)
  registerResellerDocs(app, shop)
  const callablePaths = new Set<string>()
  for (const each of routes) {
    app.on(each.endpoint.method, each.endpoint.path, c => each.answer(c, shop, askSecondWord))
    if (each.endpoint.callable) callablePaths.add(each.endpoint.path)
  }
  app.notFound(c => answerError(new AppError('NOT_FOUND'), c, shop))
  app.onError((error, c) => answerError(error, c, shop, { callable: callablePaths.has(c.req.path) }))
  return app
}
