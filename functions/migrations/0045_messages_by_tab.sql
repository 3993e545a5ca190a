DROP INDEX "chat_message_state";--> statement-breakpoint
CREATE INDEX "chat_message_resendable" ON "chat_message" USING btree ("id") WHERE "chat_message"."state" IN ('dead', 'skipped') AND "chat_message"."reply_token" IS NULL;--> statement-breakpoint
CREATE INDEX "chat_message_state" ON "chat_message" USING btree ("state","id");