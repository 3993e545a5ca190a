import * as z from 'zod'

/** An address that is told about events; the server looks where it leads. */
export const webhookUrl = z
  .string()
  .trim()
  .max(500)
  .regex(/^https:\/\/[^\s@#]+$/i, 'ต้องเป็นที่อยู่ HTTPS เช่น https://shop.example.com/hook')
