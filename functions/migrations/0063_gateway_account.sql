CREATE TABLE "gateway_held" (
	"gateway" text NOT NULL,
	"day" date NOT NULL,
	"held_satang" bigint NOT NULL,
	CONSTRAINT "gateway_held_gateway_day_pk" PRIMARY KEY("gateway","day")
);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "charge_paid" ON "charge" USING btree ("paid_at","order_id") WHERE "charge"."state" = 'paid';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entry_gateways" ON "ledger_entry" USING btree ("account","at","amount_satang") WHERE "ledger_entry"."account" LIKE 'gateway:%';