import * as z from 'zod'

/** An address that is told about events; the server looks where it leads, and takes http only in development. */
export const webhookUrl = z
  .string()
  .trim()
  .max(500)
  .regex(/^https?:\/\/[^\s@#]+$/i, 'ต้องเป็นที่อยู่ HTTPS เช่น https://shop.example.com/hook')

/** The header `webhook-id` of a message. */
export const webhookMessageId = z.string().regex(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
