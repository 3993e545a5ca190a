CREATE TABLE "price_rule" (
	"game_id" integer NOT NULL,
	"target" text NOT NULL,
	"basis_points" integer NOT NULL,
	"fixed_satang" bigint NOT NULL,
	"least_satang" bigint NOT NULL,
	"rounding" text NOT NULL,
	CONSTRAINT "price_rule_game_id_target_pk" PRIMARY KEY("game_id","target"),
	CONSTRAINT "price_rule_earns" CHECK ("price_rule"."basis_points" >= 0 AND "price_rule"."fixed_satang" >= 0 AND "price_rule"."least_satang" >= 0)
);
--> statement-breakpoint
CREATE TABLE "supplier_list" (
	"supplier" text PRIMARY KEY NOT NULL,
	"tried_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"doubted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "supplier_product" (
	"supplier" text NOT NULL,
	"sku" text NOT NULL,
	"name" text NOT NULL,
	"delivers" text NOT NULL,
	"price" text NOT NULL,
	"currency" text NOT NULL,
	"cost_satang" bigint,
	"is_in_stock" boolean NOT NULL,
	"region" text NOT NULL,
	"fields" text[] NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "supplier_product_supplier_sku_pk" PRIMARY KEY("supplier","sku")
);
--> statement-breakpoint
CREATE TABLE "supplier_product_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"supplier" text NOT NULL,
	"sku" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"from_price" text,
	"to_price" text,
	"from_satang" bigint,
	"to_satang" bigint,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "follows_cost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "price_rule" ADD CONSTRAINT "price_rule_game_id_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."game"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "supplier_product_change_at" ON "supplier_product_change" USING btree ("at","id");