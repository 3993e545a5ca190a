CREATE TABLE "sale_month" (
	"day" date NOT NULL,
	"package_id" integer NOT NULL,
	"payment" text NOT NULL,
	"slot" smallint NOT NULL,
	"orders" integer NOT NULL,
	"quantity" integer NOT NULL,
	"revenue_satang" bigint NOT NULL,
	"cost_satang" bigint NOT NULL,
	"uncosted_satang" bigint NOT NULL,
	CONSTRAINT "sale_month_day_package_id_payment_slot_pk" PRIMARY KEY("day","package_id","payment","slot")
);--> statement-breakpoint
ALTER TABLE "sale_month" ADD CONSTRAINT "sale_month_package_id_package_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."package"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "sale_month" (day, package_id, payment, slot, orders, quantity, revenue_satang, cost_satang, uncosted_satang)
SELECT date_trunc('month', day)::date, package_id, payment, 0, sum(orders), sum(quantity), sum(revenue_satang), sum(cost_satang),
  sum(uncosted_satang) FROM sale_day GROUP BY 1, 2, 3;
