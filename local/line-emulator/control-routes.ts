import { Hono } from 'hono'
import * as z from 'zod'
import { type Control, ControlError } from './control.ts'
import type { State } from './state.ts'

const person = z.object({ userId: z.string() })
const inChat = person.extend({ chatId: z.string().optional() })
const text = inChat.extend({ text: z.string().min(1) })
const postback = inChat.extend({ data: z.string(), displayText: z.string().optional() })
const login = person.extend({ decision: z.enum(['allow', 'deny']), addFriend: z.boolean().optional() })

/**
 * Serves the commands of the chat view and of the journeys in e2e/, below `/__emu`. Bodies are JSON. An invalid body is
 * answered with 400 and the reason, an unknown user or group with 404.
 */
export function createControlRoutes(state: State, control: Control): Hono {
  const app = new Hono()
  app.onError((error, context) => {
    if (error instanceof ControlError) return context.json({ message: error.message }, 404)
    if (error instanceof SyntaxError) return context.json({ message: error.message }, 400)
    if (error instanceof z.ZodError) return context.json({ message: z.prettifyError(error) }, 400)
    throw error
  })
  function command<Schema extends z.ZodType>(path: string, schema: Schema, run: (body: z.output<Schema>) => unknown) {
    app.post(path, async context => {
      const body = await context.req.text()
      const result = await run(schema.parse(body ? JSON.parse(body) : {}))
      return context.json((result ?? {}) as Record<string, unknown>)
    })
  }
  command('/reset', z.object({}), () => control.reset())
  command('/clock', z.object({ offsetSeconds: z.number() }), body => control.setClockOffset(body.offsetSeconds))
  command('/login/auto', login, body => control.setAutoLogin(body))
  command('/follow', person, ({ userId }) => control.follow(userId))
  command('/unfollow', person, ({ userId }) => control.unfollow(userId))
  command('/text', text, ({ userId, chatId = userId, text }) => control.sendText(userId, chatId, text))
  command('/postback', postback, ({ userId, chatId = userId, ...action }) =>
    control.pressPostback(userId, chatId, action),
  )
  const getInClientUrl = (query: Record<string, string>) => {
    const userId = query.userId ?? ''
    if (!state.users.has(userId)) throw new ControlError(`no user ${userId}`)
    return control.getInClientUrl(userId, query.path)
  }
  app.get('/in-client-url', async context => context.json({ url: await getInClientUrl(context.req.query()) }))
  app.get('/open', async context => context.redirect(await getInClientUrl(context.req.query())))
  return app
}
