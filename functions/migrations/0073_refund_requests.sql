CREATE TABLE "refund_request" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"payee" jsonb,
	"payee_at" timestamp (3) with time zone,
	"payee_hash" text,
	"payee_reason" text,
	"paid_slip_id" uuid
);
--> statement-breakpoint
ALTER TABLE "refund_request" ADD CONSTRAINT "refund_request_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "account_phone" ON "account" USING btree ("phone") WHERE "account"."phone" IS NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_failed" ON "orders" USING btree ("ended_at","id") WHERE "orders"."status" = 'failed';