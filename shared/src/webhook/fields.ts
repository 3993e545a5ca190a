import * as z from 'zod'
import { typed } from '../line.ts'
import { CHOSEN_EVENTS } from './webhook.ts'

/** An address that is told about events; the server looks where it leads, and takes http only in development. */
export const webhookUrl = typed()
  .max(500)
  .regex(/^https?:\/\/[^\s@#]+$/i, 'ต้องเป็นที่อยู่ HTTPS เช่น https://shop.example.com/hook')

/** The events that are sent to an endpoint. One that wants none is switched off. */
export const chosenEvents = z.array(z.enum(CHOSEN_EVENTS)).min(1, 'กรุณาเลือกอย่างน้อย 1 เหตุการณ์').max(CHOSEN_EVENTS.length)

/** The header `webhook-id` of a message. */
export const webhookMessageId = z.string().regex(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
