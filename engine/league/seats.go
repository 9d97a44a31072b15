package league

// seated puts the players of each table into seats so that everyone has each
// seat equally often, or but one time more. That can always be done: make of a
// player with many games several with as many as there are seats; then no point
// of the graph of players and tables has more lines than there are seats, and
// its lines can be given the seats as colours so that none meets its like
// (König). n is the number of players, k that of seats.
func seated(blocks [][]int, n, k int) [][]int {
	part, games := make([]int, n), make([]int, n) // a player's part that has room, and the player's games
	var player [][]int                            // by part, by seat: the table, -1 none
	table := make([][]int, len(blocks))           // by table, by seat: the part of a player, -1 none
	var of []int                                  // by part: its player
	for t, block := range blocks {
		table[t] = free(k)
		for _, x := range block {
			if games[x]%k == 0 {
				part[x] = len(player)
				player, of = append(player, free(k)), append(of, x)
			}
			games[x]++
			p := part[x]
			a, b := unused(player[p]), unused(table[t])
			if a != b {
				// Seat a is free for the player and taken at the table: exchange a and
				// b along the way that begins there. It cannot come back to the player.
				exchange(player, table, t, a, b)
			}
			player[p][a], table[t][a] = t, p
		}
	}
	out := make([][]int, len(blocks))
	for t := range blocks {
		for _, p := range table[t] {
			if p >= 0 {
				out[t] = append(out[t], of[p])
			}
		}
	}
	return out
}

// exchange changes a for b and b for a on the way that begins at a table with
// seat a, where b is free, so that a becomes free there.
func exchange(player, table [][]int, t, a, b int) {
	type line struct{ table, part, seat int }
	var way []line
	for t >= 0 {
		p := table[t][a]
		if p < 0 {
			break
		}
		way = append(way, line{t, p, a})
		if t = player[p][b]; t >= 0 {
			way = append(way, line{t, p, b})
		}
	}
	for _, x := range way {
		table[x.table][x.seat], player[x.part][x.seat] = -1, -1
	}
	for _, x := range way {
		seat := a + b - x.seat
		table[x.table][seat], player[x.part][seat] = x.part, x.table
	}
}

func free(k int) []int {
	s := make([]int, k)
	for i := range s {
		s[i] = -1
	}
	return s
}

func unused(s []int) int {
	for i, x := range s {
		if x < 0 {
			return i
		}
	}
	return -1
}
