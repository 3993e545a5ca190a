CREATE TABLE "owner_code" (
	"uid" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"tries" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pin" ADD COLUMN "credit_left_satang" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_message" ADD COLUMN "news" jsonb;--> statement-breakpoint
ALTER TABLE "charge" ADD COLUMN "by_link" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee_hash" text;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "payee_reason" text;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "paid_slip_id" uuid;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "agreed_version" integer;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "agreed_by" text;--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "agreed_as" text;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "payer_hash" text;--> statement-breakpoint
ALTER TABLE "slip" ADD COLUMN "picture_hash" text;--> statement-breakpoint
ALTER TABLE "second_word" ADD COLUMN "evidence" jsonb;--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "evidence_slip_id" uuid;--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "complaint" text;--> statement-breakpoint
ALTER TABLE "voucher" ADD COLUMN "replaces_id" uuid;--> statement-breakpoint
ALTER TABLE "credit" ADD COLUMN "left_satang" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "owner_code" ADD CONSTRAINT "owner_code_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "chat_message_recipient" ON "chat_message" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "chat_message_news" ON "chat_message" USING btree ("news") WHERE "chat_message"."news" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mail_message_recipient" ON "mail_message" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "owed_refund_payee" ON "owed_refund" USING btree ("payee_hash") WHERE "owed_refund"."payee_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "owed_refund_credit" ON "owed_refund" USING btree ("credit_id") WHERE "owed_refund"."credit_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "owed_refund_from_credit" ON "owed_refund" USING btree ("from_credit_id","created_at") WHERE "owed_refund"."from_credit_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "statement_line_payer" ON "statement_line" USING btree ("payer_hash") WHERE "statement_line"."payer_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "slip_picture" ON "slip" USING btree ("picture_hash") WHERE "slip"."picture_hash" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "voucher_reserved" ON "voucher" USING btree ("package_id") WHERE "voucher"."state" = 'reserved';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "voucher_complaint" ON "voucher" USING btree ("complaint") WHERE "voucher"."complaint" IS NOT NULL;